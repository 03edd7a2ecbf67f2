internal import GatewayModel

/// `[commands]`: what the cloud may ask by signed commands.
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

/// `[[commands.issuers]]`: who may sign them.
enum IssuerSection {
    static let id = Key<IssuerID>(
        "id", .name, .required, "Who signs: `iss` of the commands. Without an issuer no command is taken.")
    static let keys = Key(
        "keys", .filePath(), .required,
        "A file with the issuer's public keys, a JWK set: Ed25519 or P-256, each with a `kid`.")
    static let may = Key<Set<CommandKind>>(
        "may", .choices(), .optional("all but `decide`, `policy` and `automated-sos`"),
        "What the issuer may ask. A decision on a person's behalf is allowed only where it is written here.")

    static let mayAccept = Key(
        "may_accept", .truth, .standard(true),
        "Whether the issuer may say that a person has taken a call for help, which ends the calling.")

    static let section = Section(
        ["commands", "issuers"], repeats: true, "Who may sign commands and acceptances.",
        keys: [id, keys, may, mayAccept],
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
        guard let id, let keys, let mayAccept, may != nil || !reader.isWritten(Self.may) else { return nil }
        return GatewaySettings.Issuer(
            id: id, keys: keys, may: may ?? CommandKind.standard, mayAccept: mayAccept,
            place: GatewaySettings.Place(file: reader.problems.file, line: reader.position.line))
    }
}
