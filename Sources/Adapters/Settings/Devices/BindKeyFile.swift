import GatewayModel
import Glibc
public import SettingsReading

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

extension GatewaySettings.Wearable {
    /// The 16 bytes of its key, read now; nil where it has none. A key that cannot be used is a mistake in the
    /// settings, told with its place: its adverts would be dropped, and with them a call for help. The error
    /// shows nothing of the key. Blocking I/O.
    public func readKey() throws(SettingsError) -> [UInt8]? {
        guard let keyFile else { return nil }
        let bytes: [UInt8]?
        do throws(SettingsError) {
            bytes = try SettingsFile.bytesIfPresent(path: keyFile, of: .gateway)
        } catch {
            throw wrongKey(error.description)
        }
        guard let bytes else {
            throw wrongKey("\(keyFile): there is no such file: write the key of '\(id)' into it")
        }
        // Anybody with the key can press the button from the street.
        do throws(CredentialFile.Unusable) {
            _ = try CredentialFile(keyFile, of: "homegateway").privatePath()
        } catch {
            throw wrongKey(error.description)
        }
        guard let key = CredentialFile.key(bytes) else {
            throw wrongKey(
                "\(keyFile): is no key of '\(id)': expected 32 hexadecimal digits and nothing else; copy the "
                    + "bind key from the device's app")
        }
        return key
    }

    private func wrongKey(_ message: String) -> SettingsError {
        let key = WearableSection.section.full(WearableSection.keyFile.name)
        return .problems([
            SettingsProblem(file: place.file, line: place.line, column: nil, key: key, message: message)
        ])
    }
}
