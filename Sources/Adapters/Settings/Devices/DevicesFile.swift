public import GatewayModel
import Glibc
public import SettingsReading

/// A device to be added by command.
public struct NewDevice: Hashable, Sendable {
    public let id: DeviceID
    public let address: DeviceAddress
    public let person: PersonID
    public let heardBy: GatewaySettings.Hearing
    /// Only of one that is heard by advertising.
    public let keyFile: String?
    public let signals: GatewaySettings.Signals
    /// Written above it as a comment; characters that a comment cannot hold are left out.
    public let note: String?

    public init(
        id: DeviceID, address: DeviceAddress, person: PersonID, heardBy: GatewaySettings.Hearing = .connection,
        keyFile: String? = nil, signals: GatewaySettings.Signals = .none, note: String? = nil
    ) {
        self.id = id
        self.address = address
        self.person = person
        self.heardBy = heardBy
        self.keyFile = keyFile
        self.signals = signals
        self.note = note
    }

    func with(keyFile: String) -> NewDevice {
        NewDevice(
            id: id, address: address, person: person, heardBy: heardBy, keyFile: keyFile, signals: signals,
            note: note)
    }

    /// The same device under the lasting address that its pairing has shown.
    public func at(_ address: DeviceAddress, note: String?) -> NewDevice {
        NewDevice(
            id: id, address: address, person: person, heardBy: heardBy, keyFile: keyFile, signals: signals,
            note: note)
    }
}

/// `devices.toml`: the devices that were added by command.
///
/// Each change is tried on the settings as a whole before the file is replaced: a change that would not load,
/// or that names a key that cannot be read, is not written. Two commands at a time wait for each other.
/// Blocking I/O.
public struct DevicesFile: Sendable {
    public let path: String
    let settingsPath: String

    /// - Parameter settingsPath: the file that `settings` were loaded from.
    public init(of settings: GatewaySettings, settingsPath: String) {
        path = settings.devicesFile
        self.settingsPath = settingsPath
    }

    // Each returns the settings as they are from now on. `command` is named on top of the file.

    /// - Parameter bindKey: hexadecimal digits, written into a key file of this directory; nil for none, or for a key file that
    ///   `device` names.
    public func add(
        _ device: NewDevice, bindKey: String? = nil, by command: String
    ) throws(DevicesFileError) -> GatewaySettings {
        let key = BindKeyFile(of: device.id, beside: path)
        let device = bindKey == nil ? device : device.with(keyFile: key.path)
        var isKeyMade = false
        return try change(by: command) { (settings, text, lock) throws(DevicesFileError) in
            try settings.checkIsNew(device)
            if let bindKey {
                if let other = settings.wearables.first(where: { $0.keyFile == key.path }) {
                    throw .keyFileTaken(key.path, by: other.id, other.place)
                }
                try key.create(bindKey, in: lock)
                isKeyMade = true
            }
            text.add(device)
        } until: {
            $0.wearables.contains { $0.id == device.id }
        } checking: { settings throws(SettingsError) in
            // Without it the gateway does not start again.
            for added in settings.wearables where added.id == device.id { _ = try added.readKey() }
        } undo: {
            // Else it may be the key of a device that has this id.
            if isKeyMade { key.remove(in: $0) }
        }
    }

    /// Removes its key file too, where `add` has made it.
    public func remove(_ id: DeviceID, by command: String) throws(DevicesFileError) -> GatewaySettings {
        var key: BindKeyFile?
        return try change(by: command) { (settings, text, _) throws(DevicesFileError) in
            let wearable = try settings.wearable(id)
            try checkIsHere(wearable)
            let own = BindKeyFile(of: id, beside: path)
            key = wearable.keyFile == own.path ? own : nil
            try reading { () throws(TOMLSyntaxError) in try text.remove(id) }
        } until: {
            !$0.wearables.contains { $0.id == id }
        } then: {
            key?.remove(in: $0)
        }
    }

    /// Sets which kinds are off, and for which it is the source for SOS.
    public func choose(
        _ id: DeviceID, off: Set<QuantityKind>, sosFor: Set<QuantityKind>, by command: String
    ) throws(DevicesFileError) -> GatewaySettings {
        try change(by: command) { (settings, text, _) throws(DevicesFileError) in
            let wearable = try settings.wearable(id)
            try checkIsHere(wearable)
            guard wearable.heardBy == .connection else { throw .givesNoReadings(id) }
            try settings.checkIsUnclaimed(sosFor, by: wearable)
            try reading { () throws(TOMLSyntaxError) in
                // Each goes below the person, so the last comes first.
                try text.set(WearableSection.sosFor, to: sosFor, of: id)
                try text.set(WearableSection.off, to: off, of: id)
            }
        } until: {
            $0.wearables.contains { $0.id == id && $0.off == off && $0.sosFor == sosFor }
        }
    }

    /// Nil where there is no file.
    public static func seal(at path: String) throws(SettingsError) -> DevicesSeal? {
        try SettingsFile.bytesIfPresent(path: path, of: .gateway).map { DevicesSeal(of: $0) }
    }

    /// Writes the whole file: the devices of an earlier start. Errors: `disk`.
    public static func restore(_ content: [UInt8], at path: String) throws(DevicesFileError) {
        let lock = try DirectoryLock(ofFile: path)
        defer { lock.release() }
        let text = DevicesSeal.content(of: String(decoding: content, as: UTF8.self))
        try AtomicFile.replace(path, with: Array(DevicesSeal.seal(text).utf8), in: lock)
    }

    /// Whether a change could be written, as far as that can be told beforehand. Errors: `disk`.
    public func checkIsWritable() throws(DevicesFileError) {
        let directory = DirectoryLock.directory(ofFile: path)
        guard access(directory, W_OK | X_OK) == 0 else {
            throw .disk(doing: "writing in", path: directory, number: errno)
        }
    }

    // MARK: Parts

    /// - Parameters:
    ///   - isDone: whether the settings have the wanted value.
    ///   - check: whether the files that they name can be used.
    ///   - finish: called after the file was replaced.
    ///   - undo: called where the file was not replaced.
    private func change(
        by command: String,
        _ body: (GatewaySettings, inout DevicesText, DirectoryLock) throws(DevicesFileError) -> Void,
        until isDone: (GatewaySettings) -> Bool,
        checking check: (GatewaySettings) throws(SettingsError) -> Void = { _ in },
        then finish: (DirectoryLock) -> Void = { _ in }, undo: (DirectoryLock) -> Void = { _ in }
    ) throws(DevicesFileError) -> GatewaySettings {
        let lock = try DirectoryLock(ofFile: path)
        defer { lock.release() }
        do {
            let settings = try SettingsFile.bytes(path: settingsPath, of: .gateway)
            let bytes = try SettingsFile.bytesIfPresent(path: path, of: .gateway) ?? []
            let before = try parse(settings, bytes)
            var text = DevicesText(DevicesSeal.content(of: String(decoding: bytes, as: UTF8.self)))
            try body(before, &text, lock)
            text.sign(command)
            let after = try parse(settings, Array(text.text.utf8))
            guard isDone(after), Self.differing(before, after) <= 1 else {
                throw DevicesFileError.notOurs(path: path)
            }
            try check(after)
            try AtomicFile.replace(path, with: Array(DevicesSeal.seal(text.text).utf8), in: lock)
            finish(lock)
            return after
        } catch {
            undo(lock)
            throw switch error {
            case let error as SettingsError: .settings(error)
            case let error as DevicesFileError: error
            default: .notOurs(path: path)
            }
        }
    }

    private func parse(_ settings: [UInt8], _ devices: [UInt8]) throws(SettingsError) -> GatewaySettings {
        try GatewaySettings.parse(settings, file: settingsPath) { _ in devices }
    }

    /// How many wearables differ: a change is to one, or the text is laid out in a way not foreseen.
    private static func differing(_ before: GatewaySettings, _ after: GatewaySettings) -> Int {
        let content = { (settings: GatewaySettings) in
            Dictionary(settings.wearables.map { ($0.id, $0.anywhere) }) { first, _ in first }
        }
        let (old, new) = (content(before), content(after))
        return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.count
    }

    /// Errors: `elsewhere`.
    public func checkIsHere(_ wearable: GatewaySettings.Wearable) throws(DevicesFileError) {
        guard wearable.place.file == path else { throw .elsewhere(wearable.id, wearable.place) }
    }

    private func reading(_ body: () throws(TOMLSyntaxError) -> Void) throws(DevicesFileError) {
        do { try body() } catch { throw .notOurs(path: path) }
    }
}

extension GatewaySettings {
    /// Errors: `unknown`.
    public func wearable(_ id: DeviceID) throws(DevicesFileError) -> Wearable {
        guard let found = wearables.first(where: { $0.id == id }) else {
            throw .unknown(id, known: wearables.map(\.id))
        }
        return found
    }

    /// Errors: `idTaken`, `addressTaken`, `strangePerson`.
    public func checkIsNew(_ device: NewDevice) throws(DevicesFileError) {
        guard persons.contains(where: { $0.id == device.person }) else {
            throw .strangePerson(device.person, known: persons.map(\.id))
        }
        for wearable in wearables {
            if wearable.id == device.id { throw .idTaken(device.id, wearable.place) }
            if wearable.address == device.address {
                throw .addressTaken(device.address, by: wearable.id, wearable.place)
            }
        }
    }

    fileprivate func checkIsUnclaimed(
        _ kinds: Set<QuantityKind>, by wearable: Wearable
    ) throws(DevicesFileError) {
        for other in wearables where other.person == wearable.person && other.id != wearable.id {
            guard let kind = kinds.intersection(other.sosFor).map(\.rawValue).min() else { continue }
            throw .claimed(kind: kind, by: other.id, other.place)
        }
    }
}

extension GatewaySettings.Wearable {
    /// The same wherever it is written.
    fileprivate var anywhere: GatewaySettings.Wearable {
        GatewaySettings.Wearable(
            id: id, address: address, person: person, heardBy: heardBy, off: off, sosFor: sosFor,
            signals: signals, keyFile: keyFile, silence: silence, sleeps: sleeps,
            linkLossAlert: linkLossAlert, alarmAlert: alarmAlert, users: users,
            place: GatewaySettings.Place(file: "", line: 0))
    }
}

/// Why the devices file was not changed. It is then as it was.
public enum DevicesFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The settings are wrong, or would be.
    case settings(SettingsError)
    case unknown(DeviceID, known: [DeviceID])
    /// It is in the settings file, which only people write.
    case elsewhere(DeviceID, GatewaySettings.Place)
    case idTaken(DeviceID, GatewaySettings.Place)
    case addressTaken(DeviceAddress, by: DeviceID, GatewaySettings.Place)
    case strangePerson(PersonID, known: [PersonID])
    /// Another device of the settings names the file into which a new key would be written.
    case keyFileTaken(String, by: DeviceID, GatewaySettings.Place)
    case claimed(kind: String, by: DeviceID, GatewaySettings.Place)
    /// It is heard by advertising: there are no kinds to choose among.
    case givesNoReadings(DeviceID)
    /// Laid out by hand in a way that cannot be changed line by line.
    case notOurs(path: String)
    /// `number` is an `errno`.
    case disk(doing: String, path: String, number: Int32)

    public var description: String {
        switch self {
        case .settings(let error): error.description
        case .unknown(let id, let known):
            "there is no device '\(id)'\(Self.list(known.map(\.text), "; known are")): see homegateway devices list"
        case .elsewhere(let id, let place):
            "'\(id)' is written by hand at \(place), which no command changes: change it there"
        case .idTaken(let id, let place):
            "the id '\(id)' is taken by the device at \(place): choose another"
        case .addressTaken(let address, let id, let place):
            "\(address) is known already as '\(id)' at \(place): nothing to add; to begin anew, first run "
                + "homegateway devices forget \(id)"
        case .strangePerson(let person, let known):
            "there is no person '\(person)'\(Self.list(known.map(\.text), "; the settings have")): correct --person, "
                + "or add a [[person]] to the settings file"
        case .keyFileTaken(let path, let id, let place):
            "\(path) is the key file of '\(id)' at \(place): choose another id for the new device"
        case .claimed(let kind, let other, let place):
            "\(kind) for SOS comes from '\(other)' (\(place)), and there can be one source: first take it from "
                + "there, with homegateway devices track \(other) \(kind) --on --no-sos"
        case .givesNoReadings(let id):
            "'\(id)' is heard by advertising and gives no readings: there is nothing to switch on or off"
        case .notOurs(let path):
            "\(path) is laid out by hand in a way that this command cannot change safely: change it by hand"
        case .disk(let doing, let path, let number):
            "\(doing) \(path): \(String(cString: strerror(number))) (errno \(number)): run it as root or as the "
                + "user homegateway, and check that the disk is there and not full"
        }
    }

    private static func list(_ names: [String], _ words: String) -> String {
        names.isEmpty ? "" : "\(words) \(names.joined(separator: ", "))"
    }
}

/// The checksum in the last line of `devices.toml`, which the commands that change the file write: a file that was cut
/// behind a whole entry is TOML, and a wearable less.
public enum DevicesSeal: Hashable, Sendable {
    case whole
    /// A file of an earlier version, or one that was written by hand or cut.
    case absent
    /// The file was changed by something else than a command.
    case broken

    private static let label = "# Checksum: "

    public init(of bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let content = Self.content(of: text)
        self = content == text ? .absent : Self.seal(content) == text ? .whole : .broken
    }

    static func seal(_ content: String) -> String {
        content + (content.isEmpty || content.hasSuffix("\n") ? "" : "\n") + label + sum(content) + "\n"
    }

    /// The text without its last line, where that is a checksum.
    static func content(of text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let place = lines.lastIndex(where: { !$0.isEmpty }), lines[place].hasPrefix(label) else {
            return text
        }
        return lines[..<place].map { $0 + "\n" }.joined()
    }

    private static func sum(_ content: String) -> String {
        String(FNVHash(of: content.utf8).value, radix: 16)
    }
}
