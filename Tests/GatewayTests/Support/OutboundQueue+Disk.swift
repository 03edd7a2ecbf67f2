import Vault

@testable import HomeGateway
@testable import Hub
@testable import OutboxService

/// A disk that takes everything.
extension OutboundQueue {
    func takesReadings() {
        loaded(alarms: [], stored: 0, receipts: 0)
        OutboxDelivery(self).connected()
    }

    func writes() {
        let changes = takeChanges()
        written(stored: changes.rows.count)
    }
}
