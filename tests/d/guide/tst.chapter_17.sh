# The commands of this chapter of docs/guide do what it says.
# @@needs cc
# @@timeout 90
. "$(dirname "$0")/lib.bash"
chapter 17
