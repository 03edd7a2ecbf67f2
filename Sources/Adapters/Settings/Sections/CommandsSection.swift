public import GatewayModel
public import SettingsReading

/// `[commands]`: rights of the cloud to send signed commands.
enum CommandsSection {
    static let clock = Key<GatewaySettings.Commands.Clock>(
        "clock", .choice, .standard("synchronised"),
        "When a time is believed, a command's or that at which a grant is over: once the kernel says that its clock is "
            + "synchronised, or always, for a box whose kernel cannot tell. Until then commands are refused, but for "
            + "those that only end something, and what waits under a grant that seems over is neither sent nor deleted."
    )

    static let section = Section(
        ["commands"],
        "What may be asked of the gateway by signed commands; [docs/integrator/commands.md](../integrator/commands.md) tells how.",
        keys: [clock], children: [IssuerSection.section])

    static func read(_ reader: SectionReader) -> GatewaySettings.Commands? {
        let clock = reader.value(clock)
        let issuers = IssuerSection.read(reader.children(IssuerSection.section))
        return clock.map { GatewaySettings.Commands(clock: $0, issuers: issuers) }
    }
}

/// `[[commands.issuers]]`: the parties that may sign them.
enum IssuerSection {
    static let id = Key<IssuerID>(
        "id", .name, .required, "Who signs: `iss` of the commands. Without an issuer no command is taken.")
    static let keys = Key(
        "keys", .filePath(), .required,
        "A file with the issuer's public keys, a JWK set: Ed25519 or P-256, each with a `kid`.")
    static let may = Key<Set<CommandKind>>(
        "may", .choices(),
        .optional(
            "all but `abort`, `resolve`, `sample-interval`, `thresholds`, `decide`, `policy`, `automated-sos` and `profile`"
        ),
        "What the issuer may ask. An end of an alarm, fewer readings, a change of limits and a decision on a person's behalf "
            + "are allowed only where they are written here.")

    static let mayAccept = Key(
        "may_accept", .truth, .standard(true),
        "Whether the issuer may say that a person has taken a call for help, which ends the calling.")

    static let desk = Key(
        "desk", .truth, .standard(false),
        "Whether the issuer has an emergency desk that tells this gateway every 30 s whether somebody is there. Without such "
            + "news, or while nobody is there, the condition `desk-unattended` holds. Calls for help do not depend on it."
    )

    static let runs = Key(
        "runs", .runs, .optional("every run"),
        "The runs that the issuer's commands about runs may be about, by their ids, or by their beginning with a final `*`: for "
            + "a co-organiser. An empty list is "
            + "no run. It gives no right that `may` does not.")

    static let section = Section(
        ["commands", "issuers"], repeats: true, "Who may sign commands and acceptances.",
        keys: [id, keys, may, mayAccept, desk, runs],
        refused: [
            "key":
                "a key is not written in the settings: put the issuer's JWK set into a file and give its path as "
                + "keys"
        ],
        cost: .entry)

    static func read(_ readers: [SectionReader]) -> [GatewaySettings.Issuer] {
        let issuers = readers.map { read($0) }
        readers.reportRepeated(id, issuers.map { $0?.id })
        return issuers.compactMap(\.self)
    }

    private static func read(_ reader: SectionReader) -> GatewaySettings.Issuer? {
        let id = reader.value(id)
        let keys = reader.value(keys)
        let may = reader.value(may)
        let mayAccept = reader.value(mayAccept)
        let hasDesk = reader.value(desk)
        let runs = reader.value(runs)
        guard let id, let keys, let mayAccept, let hasDesk, may != nil || !reader.isWritten(Self.may),
            // A list that cannot be read must not become every run.
            runs != nil || !reader.isWritten(Self.runs)
        else { return nil }
        return GatewaySettings.Issuer(
            id: id, keys: keys, may: may ?? CommandKind.standard, mayAccept: mayAccept, hasDesk: hasDesk,
            runs: runs,
            place: GatewaySettings.Place(file: reader.problems.file, line: reader.position.line))
    }
}

extension GatewaySettings {
    /// Party that may send signed commands to this gateway.
    public struct Commands: Hashable, Sendable {
        public let clock: Clock
        /// Ids differ; without any the gateway takes no commands.
        public let issuers: [Issuer]

        /// When the wall clock is believed.
        public enum Clock: String, CaseIterable, Hashable, Sendable {
            /// Once the kernel says that it is synchronised.
            case synchronised
            /// Always: for boxes with a kernel that cannot tell.
            case assumedRight = "assumed-right"
        }
    }

    public struct Issuer: Hashable, Sendable {
        public let id: IssuerID
        /// Absolute: a JWK set, read at the start.
        public let keys: String
        public let may: Set<CommandKind>
        /// Whether its signed acceptances of calls for help count.
        public let mayAccept: Bool
        /// Whether it has an emergency desk that tells whether somebody is there.
        public let hasDesk: Bool
        /// Runs that its commands about runs may be about; nil for every run.
        public let runs: Set<RunPattern>?
        /// Where it is written.
        public let place: Place
    }
}

extension GatewaySettings.Issuer {
    /// Content of its keys file, read now; the caller checks the keys. Blocking I/O.
    public func readKeys() throws(SettingsError) -> [UInt8] {
        guard let bytes = try SettingsFile.bytesIfPresent(path: keys, of: .gateway) else {
            throw .unreadable(
                path: keys, reason: "there is no such file: write the public keys of '\(id)' into it, a JWK set"
            )
        }
        return bytes
    }

    /// A mistake with its keys, at the place in the settings that names them.
    public func problem(_ message: String) -> SettingsProblem {
        SettingsProblem(
            file: place.file, line: place.line, column: nil,
            key: IssuerSection.section.full(IssuerSection.keys.name), message: message)
    }
}

extension GatewaySettings.Commands {
    /// The same wherever it is written.
    var anywhere: GatewaySettings.Commands {
        let nowhere = GatewaySettings.Place(file: "", line: 0)
        return GatewaySettings.Commands(
            clock: clock,
            issuers: issuers.map {
                GatewaySettings.Issuer(
                    id: $0.id, keys: $0.keys, may: $0.may, mayAccept: $0.mayAccept, hasDesk: $0.hasDesk,
                    runs: $0.runs, place: nowhere)
            })
    }
}
