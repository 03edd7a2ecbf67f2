import Desk
import GatewayModel
import Logging
import RealTime
import SQLDatabase
import ServerSettings
import SettingsReading
import Store

extension ForwardingRule {
    /// Nil without `[forwarding]`.
    init?(_ settings: ServerSettings) {
        guard let forwarding = settings.forwarding else { return nil }
        self.init(wait: forwarding.wait, includesDrills: forwarding.includesDrills)
    }
}

extension ForwardingService {
    /// Nil without `[forwarding]`. Reads the files of the token and of the authorities. Blocking I/O.
    convenience init?(
        _ settings: ServerSettings, file: DatabasePool, sealer: CallSealer, hub: DeskHub, logger: Logger
    ) throws {
        guard let forwarding = settings.forwarding, let rule = ForwardingRule(settings) else { return nil }
        do {
            let target = Target(
                url: forwarding.url, caFile: forwarding.caFile, token: try forwarding.tokenFile.text(),
                sender: forwarding.sender ?? settings.issuer.text, addresses: forwarding.addresses,
                operatorName: settings.operatorName, language: forwarding.language)
            try self.init(
                target, store: ForwardingStore(file: file, sealer: sealer, rule: rule), hub: hub,
                logger: logger,
                clock: { Clock.wall() })
        } catch {
            throw ServerFault("[forwarding]: \(error)")
        }
    }
}
