import GatewayModel
import Settings
import TarArchive

/// Files of a support bundle. Each is made by a list of the things that may be in it: no text of a person, of the settings
/// or of another program gets into one as it is.
struct SupportBundle {
    /// Observations on a box, as they were collected. Nil where something could not be read.
    struct Observations {
        var version = ""
        var platform: [String: String] = [:]
        /// Output of `systemctl show`, by unit.
        var units: [String: String] = [:]
        var gatewaySettings, devices, consoleSettings: [UInt8]?
        /// Output of `homegateway check --json`.
        var check: [UInt8]?
        /// Answer of the gateway's control socket to `status`.
        var status: [UInt8]?
        /// Nil where the directory cannot be read.
        var state: [SupportState.File]?
        /// Lines of the journal in the form `short-unix`, the oldest first.
        var log: [String]?
    }

    struct File: Hashable {
        let name: String
        let lines: [String]
        /// For the list of the files.
        let about: String

        /// With a heading, so that all files can be read in one go.
        var bytes: [UInt8] {
            Array((["# \(name): \(about)"] + lines + [""]).joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
        }
    }

    let files: [File]

    init(_ seen: Observations) {
        let contents = [
            File(
                name: "version.txt", lines: ["homegateway \(SupportText.word(seen.version))"],
                about: "version of the program"),
            File(
                name: "platform.txt", lines: SupportPlatform.lines(seen.platform),
                about: "system, processor, memory"),
            File(name: "units.txt", lines: SupportUnits.lines(seen.units), about: "states of the services"),
            File(
                name: "gateway-settings.txt", lines: Self.settings(seen.gatewaySettings, .gateway),
                about: "settings: technical values, everything else by its kind"),
            File(
                name: "devices-settings.txt", lines: Self.settings(seen.devices, .devices),
                about: "wearables that were added by command, in the same form"),
            File(
                name: "console-settings.txt", lines: Self.settings(seen.consoleSettings, .console),
                about: "settings of the pages, in the same form"),
            File(
                name: "check.txt", lines: SupportFindings.lines(seen.check),
                about: "findings of check: part and place"),
            File(
                name: "status.txt", lines: SupportStatus.lines(seen.status),
                about: "codes and counts of the state"),
            File(name: "state.txt", lines: SupportState.lines(seen.state), about: "sizes of the state files"),
            File(name: "log.txt", lines: SupportLog.lines(seen.log), about: "technical events of the log"),
        ]
        let readme = File(
            name: "README.txt",
            lines: [
                "Support bundle of HomeGateway.", "",
                "It has no name, address, number, reading or key. Values that were left out are shown by their kind:",
                "<personal>, <secret>, <text>, <file>. Look at each file before you send it.", "",
            ] + contents.map { "\($0.name): \($0.about)" }, about: "this list")
        files = [readme] + contents
    }

    /// - Parameter time: of the files, in seconds since 1970.
    func archive(at time: Int64) throws(TarFault) -> [UInt8] {
        try TarWriter.archive(files.map { ("homegateway-support/\($0.name)", $0.bytes) }, modified: time)
    }

    private static func settings(_ bytes: [UInt8]?, _ file: SharedSettings.File) -> [String] {
        bytes.map { SharedSettings($0, as: file).lines } ?? [SupportText.unread]
    }
}

/// Forms that a text from outside must have to be shown.
enum SupportText {
    static let unread = "not readable, or not there"

    /// A version, a state, an architecture: short, without blanks. Anything else is not shown.
    static func word(_ text: some StringProtocol) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "~"), UInt8(ascii: "_"), UInt8(ascii: ":"):
                true
            default: false
            }
        }
        return isPlain && (1...64).contains(text.utf8.count) ? String(text) : "<not shown>"
    }

    /// A whole number; nil for everything else.
    static func number(_ text: some StringProtocol) -> Int? { text.utf8.count <= 19 ? Int(text) : nil }
}
