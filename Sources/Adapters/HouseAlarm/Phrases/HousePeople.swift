import GatewayModel
import Synchronization

/// The persons of the house as they are now. From any thread.
final class HousePeople: Sendable {
    private let people: Mutex<[PersonID: HousePerson]>

    init(_ people: [PersonID: HousePerson]) {
        self.people = Mutex(people)
    }

    subscript(person: PersonID) -> HousePerson? { people.withLock { $0[person] } }

    func replace(_ people: [PersonID: HousePerson]) {
        self.people.withLock { $0 = people }
    }
}
