import Consent
import GatewayModel
import Hub
import Logging
import OutboxService
import Vault

/// Keeps the emergency disclosures on the disk. The gate records them in memory, on the thread of the dispatch, which
/// waits for nothing; this writes them behind it.
struct DisclosureKeeper: Sendable {
    private let core: GatewayCore

    /// Adds the disclosures of earlier runs to the gate's audit. Blocking I/O.
    init(_ core: GatewayCore) {
        self.core = core
        do throws(DiskFailure) {
            let rows = try core.database.rows(of: .disclosure)
            core.gate.recall(rows.compactMap { $0.decoded(as: DisclosureRow.self)?.disclosure })
        } catch {
            core.log.error(
                "the emergency disclosures cannot be restored", metadata: ["reason": "\(error)"])
        }
    }

    /// Writes the disclosures since the last call. Call about once a second, and at the end.
    func keep() {
        let rows = core.gate.takeUnwrittenEmergencies().compactMap(DisclosureRow.init)
        guard !rows.isEmpty else { return }
        core.writer.put(rows.map(\.change) + [.trim(.disclosure, to: DisclosureRow.kept)])
    }

    /// Disclosures to channels of help, oldest first.
    func disclosures(of person: PersonID?) -> [EmergencyDisclosure] {
        core.gate.emergencies.filter { $0.channel != nil && (person == nil || $0.person == person) }
    }
}
