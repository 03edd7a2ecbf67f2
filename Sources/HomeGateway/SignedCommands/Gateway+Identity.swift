import CloudCommands
import GatewayModel
import Logging
import Settings
import Vault

extension Gateway {
    /// The gateway's own key, made at the first start.
    ///
    /// Where the disk takes none, or does not give the one it has, the house is watched all the same, with a key that
    /// lasts until the next start: the cloud cannot check its receipts.
    ///
    /// - Throws: `SettingsError` for a key that is there and cannot be used: another one would be another gateway.
    static func identity(
        of gateway: GatewaySettings.Gateway, _ health: HealthBoard, _ log: Logger
    ) throws(SettingsError) -> GatewayIdentity {
        let file = IdentityFile(stateDirectory: gateway.stateDirectory)
        do throws(IdentityFile.Unusable) {
            let (seed, isNew) = try file.load()
            if let identity = GatewayIdentity(gateway: gateway.id, seed: seed) {
                if isNew {
                    log.notice(
                        "a key of the gateway's own was made: homegateway contract keys shows its public part",
                        metadata: ["file": "\(file.path)"])
                }
                return identity
            }
        } catch {
            guard error.isDisk else { throw .unreadable(path: file.path, reason: error.description) }
            log.critical("the gateway's own key can neither be read nor kept", metadata: ["reason": "\(error)"])
            health.set(HealthCondition(.storageUnavailable, subject: "identity"), true)
        }
        return GatewayIdentity(makingOneFor: gateway.id)
    }
}
