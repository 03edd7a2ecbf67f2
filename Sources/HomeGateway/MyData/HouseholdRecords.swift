import GatewayModel
import Hub
import SOSLocal
import Settings
import Vault

/// Records of alarms and the list of devices, as data about a person.
struct HouseholdRecords: Capability {
    let writer: StateWriter
    let roster: DeviceRoster
    /// Alarms that are open: their records stay.
    let openAlarms: @Sendable () -> Set<AlarmID>

    func collectData(
        of person: PersonID, into data: PersonData,
        _ done: @escaping @Sendable (Result<PersonData, PersonDataFailure>) -> Void
    ) {
        let devices = roster.wearables.filter { $0.person == person }.map {
            MyDataPage.Device(id: $0.id.text, address: "\($0.address)")
        }
        writer.records(of: person) { result in
            switch result {
            case .failure(let failure):
                done(.failure(PersonDataFailure("the alarms cannot be read: \(failure)")))
            case .success(let alarms):
                var data = data
                (data.devices, data.alarms) = (devices, alarms)
                done(.success(data))
            }
        }
    }

    func eraseData(of person: PersonID, _ done: @escaping @Sendable ([ErasureStep]) -> Void) {
        writer.eraseRecords(of: person, sparing: openAlarms()) { done([Self.step($0)]) }
    }

    private static func step(_ result: Result<AlarmJournal.Erased, DiskFailure>) -> ErasureStep {
        switch result {
        case .failure(let failure):
            ErasureStep(isDone: false, line: "records of alarms: NOT ERASED, ask again: \(failure)")
        case .success(let erased) where erased.spared > 0:
            ErasureStep(
                isDone: true,
                line:
                    "records of alarms: \(erased.count) erased; \(erased.spared) stay, of alarms that are open")
        case .success(let erased):
            ErasureStep(isDone: true, line: "records of alarms: \(erased.count) erased")
        }
    }
}
