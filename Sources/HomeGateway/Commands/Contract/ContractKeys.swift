import ArgumentParser
import CloudCommands
import GatewayModel
import Hub
import Settings
import SignedCommands
import Vault

/// `homegateway contract keys`
struct ContractKeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Show the gateway's public key, and whose commands it takes.",
        discussion: """
            The key is made when the gateway starts for the first time; the cloud
            checks receipts by it. Private keys are never shown.
            """)

    @Flag(name: .long, help: "Only the gateway's key, as a JWK set: for a file.")
    var jwks = false

    @OptionGroup var file: SettingsOption

    func run() async throws {
        let settings = try file.loadWithoutDevices()
        let identity = try identity(of: settings.gateway)
        guard !jwks else { return print("{\"keys\":[\(identity.publicJWK)]}") }
        print("\(settings.gateway.id), this gateway:\n  \(identity.publicJWK)")
        let book = try? StateFile<CommandJournal>(path: settings.gateway.stateDirectory + "/commands.json")
            .peek()
        do throws(SettingsError) {
            let successors = book?.successors ?? [:]
            for issuer in try await settings.commands.issuers.pinned(rotatedBy: successors) {
                print("\(issuer.id) may: \(issuer.may.map(\.rawValue).sorted().joined(separator: ", "))")
                for key in issuer.keys { print("  \(key.jwk)") }
                if let last = book?.sequence(of: issuer.id), last > 0 { print("  its last seq was \(last)") }
            }
        } catch {
            SettingsOption.complain(error.description)
            throw ExitCode.settingsWrong
        }
        if settings.commands.issuers.isEmpty {
            print("no commands are taken: the settings name no [[commands.issuers]]")
        }
    }

    private func identity(of gateway: GatewaySettings.Gateway) throws -> GatewayIdentity {
        let seed: [UInt8]?
        do throws(IdentityFile.Unusable) {
            seed = try IdentityFile(stateDirectory: gateway.stateDirectory).loadIfAny()
        } catch {
            SettingsOption.complain(error.description)
            throw ExitCode.unavailable
        }
        guard let seed, let identity = GatewayIdentity(gateway: gateway.id, seed: seed) else {
            SettingsOption.complain(
                "the gateway has no key yet: it makes one at its first start; see: systemctl start homegateway")
            throw ExitCode.unavailable
        }
        return identity
    }
}
