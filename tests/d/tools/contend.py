# Processes that share an open file and want its position, which is behind a mutex: contend.py FILE SECONDS
import os, sys, time
f = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR)
end = time.time() + float(sys.argv[2])
for n in range(3):
    if os.fork() == 0:
        while time.time() < end:
            os.lseek(f, 0, 0)
            os.write(f, bytes(1 << 20))
        os._exit(0)
for n in range(3): os.wait()
