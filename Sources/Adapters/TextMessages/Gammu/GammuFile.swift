import GatewayModel
import Glibc

/// One text as gammu-smsd's FILES service takes it: gammu-smsd-files(7).
struct GammuFile {
    /// `OUTA20260301_093014_07_+393331234567_hg-sms-7.txt`: priority A, so that a call overtakes what others
    /// send. gammu-smsd 1.42 copies the name into 100 bytes: at most 92 are used, with the longest of all parts.
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

    /// Written under a name that the daemon passes over, and then renamed: it never sees half a text.
    /// - Throws: what failed, for the installer.
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
