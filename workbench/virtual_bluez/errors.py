"""BlueZ's error replies, with the texts of bluetoothd 5.66 (src/error.c and its callers)."""
import dbus


class BlueZError(dbus.DBusException):
    """Raised in a method or given to its error callback: becomes a D-Bus error reply."""

    def __init__(self, name, message):
        super().__init__(message, name=f'org.bluez.Error.{name.rsplit(".", 1)[-1]}')


def failed(message):
    return BlueZError('Failed', message)


def in_progress():
    return BlueZError('InProgress', 'Operation already in progress')


def invalid_arguments():
    return BlueZError('InvalidArguments', 'Invalid arguments in method call')


def not_ready():
    return BlueZError('NotReady', 'Resource Not Ready')


def not_permitted(message):
    return BlueZError('NotPermitted', message)


def not_supported():
    return BlueZError('NotSupported', 'Operation is not supported')


def does_not_exist():
    return BlueZError('DoesNotExist', 'Does Not Exist')
