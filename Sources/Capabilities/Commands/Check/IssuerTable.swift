import GatewayModel
import Settings

/// Rights of the issuers of signed commands, for `check`. Pure.
struct IssuerTable {
    private let settings: GatewaySettings

    init(_ settings: GatewaySettings) {
        self.settings = settings
    }

    var lines: [String] {
        settings.commands.issuers.flatMap { issuer in
            let denied = Set(CommandKind.allCases).subtracting(issuer.may)
            return [
                "issuer \(issuer.id) may: \(Self.words(issuer.may))",
                "issuer \(issuer.id) may not: \(Self.words(denied))",
            ]
                + (issuer.runs.map { runs in
                    [
                        "issuer \(issuer.id), runs: "
                            + (runs.isEmpty ? "none" : runs.map(\.description).sorted().joined(separator: ", "))
                    ]
                } ?? [])
        }
    }

    private static func words(_ kinds: Set<CommandKind>) -> String {
        kinds.isEmpty ? "nothing" : kinds.map(\.rawValue).sorted().joined(separator: ", ")
    }
}
