"""What every part has: start, stop, freeze, thaw, a log, and an end with its `with` block."""
import select
import time

START_SECONDS = 10   # any part starts in well under one second on an idle machine


class StartError(Exception):
    """A part did not come up. The text says what was seen, its log included."""


class Part:
    name = 'part'

    def __init__(self, directory):
        self.directory = directory   # a pathlib.Path of the caller's, for sockets, settings, logs
        self.log = directory / f'{self.name}.log'
        self.child = None

    def start(self):
        raise NotImplementedError

    @property
    def running(self):
        return self.child is not None and self.child.running

    def stop(self):
        if self.child:
            self.child.stop()
            self.child = None

    def freeze(self):
        """Stops it where it stands: connections stay open, and nothing answers."""
        if self.child:
            self.child.freeze()

    def thaw(self):
        if self.child:
            self.child.thaw()

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def log_file(self):
        return open(self.log, 'ab')

    def failed(self, what):
        tail = self.log.read_text(errors='replace')[-2000:] if self.log.exists() else ''
        return StartError(f'{self.name}: {what}. Its log ends:\n{tail or "(empty)"}')

    def first_line(self, pipe):
        """The child's first line of output: how it says that it is ready."""
        ready, _, _ = select.select([pipe], [], [], START_SECONDS)
        line = pipe.readline().decode().strip() if ready else ''
        if not line:
            raise self.failed(f'said nothing within {START_SECONDS} s')
        return line

    def wait_until(self, is_ready):
        deadline = time.monotonic() + START_SECONDS
        while not is_ready():
            if not self.running:
                raise self.failed(f'ended at once with status {self.child.process.returncode}')
            if time.monotonic() > deadline:
                raise self.failed(f'was not ready within {START_SECONDS} s')
            time.sleep(0.02)   # a listening socket announces itself to nobody: it has to be tried
