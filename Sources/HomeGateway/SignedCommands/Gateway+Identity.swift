import CloudCommands
import GatewayModel
import Hub
import Logging
import Settings
import Vault

extension Gateway {
    /// The gateway's own key, made at the first start.
    ///
    /// Nothing that is wrong with it stops the watch. A damaged one is restored from its copy, or replaced by another,
    /// which is a condition: receipts are signed, and nobody has pinned their key. Where the disk gives and takes none,
    /// a key is used that lasts until the next start.
    static func identity(
        of gateway: GatewaySettings.Gateway, _ marks: StateMarks, _ damage: StateDamage
    ) -> GatewayIdentity {
        let (health, log) = (damage.health, damage.log)
        let file = IdentityFile(stateDirectory: gateway.stateDirectory, marks: marks)
        do throws(IdentityFile.Unusable) {
            let (seed, origin) = try file.load()
            switch origin {
            case .kept: break
            case .made:
                log.notice(
                    "a key of the gateway's own was made: homegateway contract keys shows its public part",
                    metadata: ["file": "\(file.path)"])
            case .restored(let failure): damage.report(.identity, failure)
            case .renewed(let failure):
                health.set(HealthCondition(.identityRenewed), true)
                log.critical(
                    "the gateway's own key was damaged, and another was made",
                    metadata: ["reason": "\(failure)"])
            }
            if let identity = GatewayIdentity(gateway: gateway.id, seed: seed) { return identity }
        } catch {
            log.critical("the gateway's own key can neither be read nor kept", metadata: ["reason": "\(error)"])
            health.set(HealthCondition(.storageUnavailable, subject: "identity"), true)
        }
        return GatewayIdentity(makingOneFor: gateway.id)
    }
}
