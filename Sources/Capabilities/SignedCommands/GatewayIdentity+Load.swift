package import CloudCommands
import GatewayModel
package import Hub
import Logging
package import Settings
package import Vault

extension GatewayIdentity {
    /// Loads the gateway's own key, which is made at the first start.
    ///
    /// No failure stops the start. A damaged key is restored from its copy, or replaced, which is a condition: nobody has
    /// pinned the new key of the receipts. Where the disk fails, a key is used that lasts until the next start.
    package static func load(
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
