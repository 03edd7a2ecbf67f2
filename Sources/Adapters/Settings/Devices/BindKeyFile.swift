import GatewayModel
import Glibc

/// Key file of a device that was added with its key at hand: beside the devices file, and removed with the device.
struct BindKeyFile {
    let path: String

    /// - Parameter file: the devices file, absolute.
    init(of device: DeviceID, beside file: String) {
        path = DirectoryLock.directory(ofFile: file) + "/bindkey-\(device)"
    }

    /// Replaces a file that a power cut has left behind: no device of the settings names it. It is durable afterwards.
    ///
    /// - Parameter key: hexadecimal digits.
    func create(_ key: String, in directory: DirectoryLock) throws(DevicesFileError) {
        try AtomicFile.create(path, with: Array(key.utf8), mode: 0o600, in: directory)
        fsync(directory.descriptor)
    }

    func remove(in directory: DirectoryLock) {
        unlink(path)
        fsync(directory.descriptor)
    }
}
