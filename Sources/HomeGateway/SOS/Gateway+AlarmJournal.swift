import GatewayModel
import Hub
import Logging
import Settings
import Vault

extension Gateway {
    /// The journal of alarms, looked through before anything is appended.
    static func alarmJournal(
        of gateway: GatewaySettings.Gateway, _ marks: StateMarks, _ damage: StateDamage
    ) -> AlarmJournal {
        let journal = AlarmJournal(of: gateway, marks: marks)
        do throws(DiskFailure) {
            if let failure = try journal.mend() { damage.report(.alarmJournal, failure) }
        } catch {
            damage.log.error("the alarm journal cannot be read", metadata: ["reason": "\(error)"])
        }
        return journal
    }
}
