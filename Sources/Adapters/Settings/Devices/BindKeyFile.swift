import GatewayModel
import Glibc

/// Key file of a device that was added with its key at hand: beside the devices file, and removed with the device.
struct BindKeyFile {
    let path: String
    /// Hexadecimal digits.
    private let content: String

    /// - Parameter file: the devices file, absolute.
    init(of device: DeviceID, beside file: String, content: String) {
        path = DirectoryLock.directory(ofFile: file) + "/bindkey-\(device)"
        self.content = content
    }

    /// Replaces a file that a power cut has left behind: no device of the settings names it. It is durable afterwards.
    func create(in directory: DirectoryLock) throws(DevicesFileError) {
        try AtomicFile.create(path, with: Array(content.utf8), mode: 0o600, in: directory)
        fsync(directory.descriptor)
    }

    func remove(in directory: DirectoryLock) {
        unlink(path)
        fsync(directory.descriptor)
    }
}
