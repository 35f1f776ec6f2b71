/*
 * io.d: block input and output, devices, files. Paths begin at the root of the mount name space. Pipes, sockets and the
 * like have the path "<unknown>".
 */

inline int B_BUSY = 0x1;
#pragma D binding "1.0" B_BUSY
inline int B_DONE = 0x2;
#pragma D binding "1.0" B_DONE
inline int B_ERROR = 0x4;
#pragma D binding "1.0" B_ERROR
inline int B_PAGEIO = 0x10;
#pragma D binding "1.0" B_PAGEIO
inline int B_PHYS = 0x20;
#pragma D binding "1.0" B_PHYS
inline int B_READ = 0x40;
#pragma D binding "1.0" B_READ
inline int B_WRITE = 0x100;
#pragma D binding "1.0" B_WRITE
inline int B_ASYNC = 0x400;
#pragma D binding "1.0" B_ASYNC

typedef struct bufinfo {
	int b_flags;		/* B_* */
	size_t b_bcount;	/* bytes */
	uintptr_t b_addr;	/* always 0: the data are in pages */
	uint64_t b_lblkno;	/* 512-byte block of the device */
	uint64_t b_blkno;	/* 512-byte block of the device */
	size_t b_resid;		/* always 0 */
	size_t b_bufsize;	/* bytes */
	uintptr_t b_iodone;	/* function called at the end */
	int b_error;		/* status of the block layer, 0 for success */
	dev_t b_edev;		/* device */
} bufinfo_t;

typedef struct devinfo {
	int dev_major;
	int dev_minor;
	int dev_instance;	/* number of the partition, 0 for all of the disk */
	string dev_name;	/* disk */
	string dev_statname;	/* disk or partition, as /proc/diskstats has it */
	string dev_pathname;
} devinfo_t;

typedef struct fileinfo {
	string fi_name;		/* last name of the path */
	string fi_dirname;	/* path without it */
	string fi_pathname;
	int64_t fi_offset;
	string fi_fs;		/* kind of file system */
	string fi_mount;	/* where it is mounted */
	int fi_oflags;		/* O_* */
} fileinfo_t;

#pragma D attributes Evolving/Evolving/Common translator
#pragma D binding "1.0" translator
translator bufinfo_t < struct bio *B > {
	b_flags = ((B->bi_opf & 1) != 0 ? 0x100 : 0x40) | ((B->bi_opf & 0x800) != 0 ? 0 : 0x400) |
	    (B->bi_status != 0 ? 4 : 0);
	b_bcount = B->bi_iter.bi_size;
	b_addr = 0;
	b_lblkno = B->bi_iter.bi_sector;
	b_blkno = B->bi_iter.bi_sector;
	b_resid = 0;
	b_bufsize = B->bi_iter.bi_size;
	b_iodone = (uintptr_t)B->bi_end_io;
	b_error = B->bi_status;
	b_edev = B->bi_bdev->bd_dev;
};

/* The device of a request: its own once that is accounted, until then that of its first piece. */
inline struct block_device *REQUEST_DEVICE[struct request *R] = R->part != NULL ? R->part :
    R->bio != NULL ? R->bio->bi_bdev : R->q->disk->part0;
/* B_READ or B_WRITE, B_ASYNC. */
inline int REQUEST_FLAGS[struct request *R] = ((R->cmd_flags & 1) != 0 ? 0x100 : 0x40) |
    ((R->cmd_flags & 0x800) != 0 ? 0 : 0x400);
/* The file that the first page of a request belongs to, if that page is of a file. */
inline struct page *REQUEST_PAGE[struct request *R] = R->bio == NULL || R->bio->bi_io_vec == NULL ||
    R->bio->bi_iter.bi_size == 0 ? NULL : R->bio->bi_io_vec[R->bio->bi_iter.bi_idx].bv_page;
inline struct inode *PAGE_INODE[struct page *P] = P == NULL || P->mapping == NULL ||
    ((uintptr_t)P->mapping & 3) != 0 ? NULL : P->mapping->host;
inline struct inode *REQUEST_INODE[struct request *R] = PAGE_INODE[REQUEST_PAGE[R]];

#pragma D attributes Evolving/Evolving/Common translator
#pragma D binding "1.0" translator
translator bufinfo_t < struct request *R > {
	b_flags = REQUEST_FLAGS[R];
	b_bcount = R->__data_len;
	b_addr = 0;
	b_lblkno = R->__sector;
	b_blkno = R->__sector;
	b_resid = 0;
	b_bufsize = R->__data_len;
	b_iodone = (uintptr_t)R->end_io;
	b_error = 0;
	b_edev = REQUEST_DEVICE[R]->bd_dev;
};

#pragma D attributes Evolving/Evolving/Common translator
#pragma D binding "1.0" translator
translator devinfo_t < struct block_device *D > {
	dev_major = D->bd_dev >> 20;
	dev_minor = D->bd_dev & 0xfffff;
	dev_instance = D->__bd_flags.counter & 0xff;
	dev_instance = D->bd_partno;
	dev_name = D->bd_disk->disk_name;
	dev_statname = stringof(D->bd_device.kobj.name);
	dev_pathname = strjoin("/dev/", stringof(D->bd_device.kobj.name));
};

#pragma D attributes Evolving/Evolving/Common translator
#pragma D binding "1.0" translator
translator devinfo_t < struct bio *B > {
	dev_major = (xlate <devinfo_t> (B->bi_bdev)).dev_major;
	dev_minor = (xlate <devinfo_t> (B->bi_bdev)).dev_minor;
	dev_instance = (xlate <devinfo_t> (B->bi_bdev)).dev_instance;
	dev_name = (xlate <devinfo_t> (B->bi_bdev)).dev_name;
	dev_statname = (xlate <devinfo_t> (B->bi_bdev)).dev_statname;
	dev_pathname = (xlate <devinfo_t> (B->bi_bdev)).dev_pathname;
};

#pragma D attributes Evolving/Evolving/Common translator
#pragma D binding "1.0" translator
translator devinfo_t < struct request *R > {
	dev_major = (xlate <devinfo_t> (REQUEST_DEVICE[R])).dev_major;
	dev_minor = (xlate <devinfo_t> (REQUEST_DEVICE[R])).dev_minor;
	dev_instance = (xlate <devinfo_t> (REQUEST_DEVICE[R])).dev_instance;
	dev_name = R->q->disk->disk_name;
	dev_statname = (xlate <devinfo_t> (REQUEST_DEVICE[R])).dev_statname;
	dev_pathname = (xlate <devinfo_t> (REQUEST_DEVICE[R])).dev_pathname;
};

inline string DENTRY_NAME[struct dentry *D] = stringof(D->d_name.name);

#pragma D attributes Evolving/Evolving/Common translator
#pragma D binding "1.0" translator
translator fileinfo_t < struct file *F > {
	fi_name = F == NULL ? "<none>" : F->f_path.dentry->d_sb->s_flags >> 31 != 0 ? "<unknown>" :
	    DENTRY_NAME[F->f_path.dentry];
	fi_pathname = F == NULL ? "<none>" : d_path(&F->f_path);
	fi_dirname = F == NULL ? "<none>" : dirname(d_path(&F->f_path));
	fi_mount = F == NULL ? "<none>" : d_path(&F->f_path, 1);
	fi_offset = F == NULL ? 0 : F->f_pos;
	fi_fs = F == NULL ? "<none>" : stringof(F->f_inode->i_sb->s_type->name);
	fi_oflags = F == NULL ? 0 : F->f_flags;
};

/* A file without knowing by which name it was opened: the newest of its names. */
inline struct dentry *INODE_DENTRY[struct inode *I] = I == NULL || I->i_dentry.first == NULL ? NULL :
    (struct dentry *)((uintptr_t)I->i_dentry.first - offsetof (struct dentry, d_u));

#pragma D attributes Evolving/Evolving/Common translator
#pragma D binding "1.0" translator
translator fileinfo_t < struct inode *I > {
	fi_name = I == NULL ? "<none>" : INODE_DENTRY[I] == NULL ? "<unknown>" : DENTRY_NAME[INODE_DENTRY[I]];
	fi_pathname = I == NULL ? "<none>" : INODE_DENTRY[I] == NULL ? "<unknown>" : dentry_path(INODE_DENTRY[I]);
	fi_dirname = I == NULL ? "<none>" : INODE_DENTRY[I] == NULL ? "<unknown>" :
	    dirname(dentry_path(INODE_DENTRY[I]));
	fi_mount = I == NULL ? "<none>" : INODE_DENTRY[I] == NULL ? "<unknown>" : dentry_path(INODE_DENTRY[I], 1);
	fi_fs = I == NULL ? "<none>" : stringof(I->i_sb->s_type->name);
	fi_offset = 0;
	fi_oflags = 0;
};

inline fileinfo_t fds[int fd] = xlate <fileinfo_t> (
    fd >= 0 && fd < curthread->files->fdt->max_fds ? curthread->files->fdt->fd[fd] : NULL);
#pragma D attributes Stable/Stable/Common fds
#pragma D binding "1.1" fds

inline string cwd = d_path(&curthread->fs->pwd);
#pragma D attributes Stable/Stable/Common cwd
#pragma D binding "1.0" cwd

inline string root = d_path(&curthread->fs->root);
#pragma D attributes Stable/Stable/Common root
#pragma D binding "1.0" root
