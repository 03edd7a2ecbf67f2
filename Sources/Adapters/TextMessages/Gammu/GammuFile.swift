import GatewayModel
import Glibc
import HelpLine

/// One text as gammu-smsd's FILES service takes it: gammu-smsd-files(7).
struct GammuFile {
    /// `OUTA20260301_093014_07_+393331234567_hg-sms-7.txt`: priority A, so that a call overtakes the texts that
    /// others send. gammu-smsd 1.42 copies the name into 100 bytes: at most 92 are used, with the longest of
    /// all parts.
    let name: String
    /// UTF-16 with its byte order mark: then nothing depends on the daemon's locale. It sends 7-bit texts where
    /// they fit (`transmitformat = auto`, its default).
    let bytes: [UInt8]

    init(_ text: OutgoingText, number: Int, of channel: ChannelID, at wall: WallTime) {
        var seconds = time_t(wall.millisecondsSince1970 / 1_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = "\(1900 + Int(parts.tm_year))\(two(Int(parts.tm_mon) + 1))\(two(Int(parts.tm_mday)))"
        let time = two(Int(parts.tm_hour)) + two(Int(parts.tm_min)) + two(Int(parts.tm_sec))
        name =
            "OUTA\(date)_\(time)_\(two(number % 100))_\(text.recipient.text)_"
            + "\(Self.mark(channel))\(number % 1_000_000).txt"
        bytes = [0xFE, 0xFF] + text.text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    /// How the channel's own files are known.
    static func mark(_ channel: ChannelID) -> String { "hg-\(channel)-" }

    /// Longest file that is read of the inbox, bytes. A text part has 140 bytes, in UTF-16 twice as much.
    private static let longestIncoming = 4_096

    /// Sender in the name of a file of the inbox, `IN20260301_093014_00_+393331234567_00.txt`; nil for another file.
    static func sender(ofIncoming name: String) -> String? {
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        guard name.hasPrefix("IN"), parts.count == 5 else { return nil }
        return String(parts[3])
    }

    /// Bytes; nil for a file that is not there.
    static func length(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Text of a file of the inbox: UTF-16 where it begins with a byte order mark, UTF-8 elsewhere. Empty where it cannot be
    /// read.
    static func text(ofIncoming path: String) -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: longestIncoming)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        guard bytes.count >= 2 else { return String(decoding: bytes, as: UTF8.self) }
        let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
        guard isBigEndian || bytes.starts(with: [0xFF, 0xFE]) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Written under a name that the daemon passes over, and then renamed: it never sees half a text.
    /// - Throws: the failure, for the installer.
    func write(into folder: String) throws(Failure) {
        let hidden = "\(folder)/.\(name)"
        let descriptor = open(hidden, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure("creating a file in \(folder)") }
        defer { close(descriptor) }
        let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard written == bytes.count else {
            let failure = Failure("writing a file in \(folder)")
            unlink(hidden)
            throw failure
        }
        share(descriptor, with: folder)
        guard rename(hidden, "\(folder)/\(name)") == 0 else {
            let failure = Failure("renaming a file in \(folder)")
            unlink(hidden)
            throw failure
        }
    }

    /// With the folder's group, for a daemon that is not root; where that may not be, the daemon has to be.
    private func share(_ descriptor: Int32, with folder: String) {
        var status = stat()
        guard stat(folder, &status) == 0, fchown(descriptor, .max, status.st_gid) == 0 else { return }
        fchmod(descriptor, 0o660)
    }

    struct Failure: Error {
        let reason: String

        /// Of the system call that has just failed.
        init(_ doing: String) {
            reason = "\(doing): \(String(cString: strerror(errno))) (errno \(errno))"
        }
    }
}

/// The folders of gammu-smsd's FILES service, as its configuration names them.
struct GammuFolders: Hashable, Sendable {
    let outbox: String
    let sent: String
    let error: String

    /// Where the file of a text has got to.
    enum Place: Hashable { case outbox, sent, error, nowhere }

    func place(of file: String) -> Place {
        func isIn(_ folder: String) -> Bool { access("\(folder)/\(file)", F_OK) == 0 }
        // In this order: the daemon moves it on while we look.
        if isIn(outbox) { return .outbox }
        if isIn(sent) { return .sent }
        return isIn(error) ? .error : .nowhere
    }

    /// Obstacle to handing texts to the daemon or to seeing their end; nil where there is no obstacle.
    var problem: String? {
        for folder in [outbox, sent, error] where access(folder, W_OK | X_OK) != 0 {
            let seen = String(cString: strerror(errno))
            return
                "\(folder): \(seen); install gammu-smsd, set its folders as in docs/channels/sms.md, and let the "
                + "gateway's account write there: it has to be in their group"
        }
        return nil
    }

    /// The oldest file that waits, in seconds; nil where none does.
    func oldestWaiting(now: Int) -> Int? {
        names(in: outbox).filter { $0.lowercased().hasPrefix("out") }.compactMap { name in
            var status = stat()
            guard stat("\(outbox)/\(name)", &status) == 0 else { return nil }
            return now - Int(status.st_mtim.tv_sec)
        }.max()
    }

    func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }
}

/// Whether gammu-smsd runs, by the file that it writes its process id to.
struct GammuDaemon: Hashable, Sendable {
    let pidFile: String

    enum State: Hashable {
        case runs
        case isDead(String)
        /// Its file is not there, or not ours to read.
        case unknown
    }

    var state: State {
        guard let file = fopen(pidFile, "re") else { return errno == ENOENT ? .isDead(missing) : .unknown }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 32)
        guard fgets(&line, Int32(line.count), file) != nil, let process = pid_t(Self.digits(line)), process > 0
        else { return .unknown }
        // Signal 0 only asks (kill(2)); another user's process says EPERM.
        if kill(process, 0) == 0 || errno == EPERM { return .runs }
        return .isDead("gammu-smsd has ended: its process \(process) of \(pidFile) is gone")
    }

    private var missing: String { "gammu-smsd does not run: there is no \(pidFile)" }

    private static func digits(_ line: [CChar]) -> String {
        String(decoding: line.prefix { $0 > 0x20 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
