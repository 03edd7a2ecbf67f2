import GatewayModel
import Hub
import Logging
package import OutboxService
import RealTime
package import SettingsService
import Vault

/// Values that persons have set themselves: in memory in `RunningSettings`, and as rows of `state.sqlite`. From any thread.
package final class PersonChoiceStore: Sendable {
    private let running: RunningSettings
    private let writer: StateWriter
    /// Whether the rows were read: a change of values that are not known would overwrite them.
    let isReadable: Bool
    /// Turn of a change.
    let turn = ChangeTurn()

    /// Reads the values of the last run; where the disk fails, the settings hold. Blocking I/O.
    package init(_ core: GatewayCore, _ running: RunningSettings) {
        (self.running, writer) = (running, core.writer)
        do throws(DiskFailure) {
            for row in try core.database.rows(of: .personChoice) {
                guard let person = PersonID(row.key), let choices = row.decoded(as: PersonChoices.self) else {
                    core.log.error("values of a person cannot be read: the settings hold")
                    continue
                }
                running.replace(choices, of: person)
            }
            isReadable = true
        } catch {
            core.log.error("values of persons cannot be read", metadata: ["reason": "\(error)"])
            isReadable = false
        }
    }

    subscript(person: PersonID) -> PersonChoices { running.choices[person] ?? PersonChoices() }

    /// Writes the values of a person with other rows in one transaction. They hold when they are durable.
    ///
    /// - Parameter done: called on the disk thread, with nil when they hold.
    func commit(
        _ choices: PersonChoices, of person: PersonID, with rows: [StateChange],
        done: @escaping StateWriter.Committed
    ) {
        writer.commit([.put(.personChoice, person.text, choices)] + rows) { [running] failure in
            if failure == nil { running.replace(choices, of: person) }
            done(failure)
        }
    }

    /// Erases the values of a person, on the disk first.
    func erase(_ person: PersonID, done: @escaping StateWriter.Committed) {
        writer.erase([.remove(.personChoice, key: person.text)]) { [running] failure in
            if failure == nil { running.replace(nil, of: person) }
            done(failure)
        }
    }
}
