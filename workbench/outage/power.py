"""A disk with a power cut: it keeps the content that it had at that instant.

The gateway's state lies on an ext4 in a file, and that file on an XFS, which can copy a file at one instant
(FICLONE: all writes before it, none after it). Data that the kernel still held in memory for the disk is not in the
copy, as after a real power cut. Not covered: a disk that reports writes it has not done, and half-written sectors.
"""
import contextlib
import fcntl
import subprocess

FICLONE = 0x40049409   # linux/fs.h
OUTER_MB, DISK_MB = 300, 64   # 300: the smallest size for mkfs.xfs


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


class Disk:
    """A disk with its image in `folder`, mounted at `at` within the `with` block."""

    def __init__(self, folder, at):
        self.outer, self.inside, self.at = folder / 'outer.img', folder / 'outer', at
        self.file = self.inside / 'disk.img'

    def __enter__(self):
        self.undo = contextlib.ExitStack()
        with contextlib.ExitStack() as undo:
            self.inside.mkdir()
            self.make(self.outer, OUTER_MB, 'xfs', '-q', '-m', 'reflink=1')
            self.mount(self.outer, self.inside)
            undo.callback(run, 'umount', '-l', self.inside)
            self.make(self.file, DISK_MB, 'ext4', '-q')
            self.mount(self.file, self.at)
            self.at.chmod(0o700)
            self.undo = undo.pop_all()
        return self

    def __exit__(self, *reason):
        subprocess.run(['umount', '-l', self.at], check=False)
        self.undo.__exit__(*reason)

    def make(self, file, megabytes, kind, *options):
        run('truncate', '-s', f'{megabytes}M', file)
        run(f'mkfs.{kind}', *options, file)

    def mount(self, file, at):
        run('mount', '-o', 'loop', file, at)

    def cut(self):
        """The instant of the cut: copies the present content of the disk."""
        with open(self.file, 'rb') as now, open(self.inside / 'cut.img', 'wb') as kept:
            fcntl.ioctl(kept, FICLONE, now.fileno())

    def come_back(self):
        """Mounts the copy in place of the disk. No process uses the disk any more."""
        run('umount', self.at)
        (self.inside / 'cut.img').rename(self.file)
        self.mount(self.file, self.at)
