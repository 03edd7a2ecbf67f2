/// Extent to which each role may use a verb. A role that is missing may not.
package typealias Rights = [ControlSession.Role: ControlRights.Extent]

extension Rights {
    package static var nobody: Rights { [:] }
    package static var installers: Rights { [.installer: .any] }
    package static var organisers: Rights { [.organiser: .any] }
    /// The person, also at the screen of the room.
    package static var byThePerson: Rights { [.room: .own, .person: .own] }
    package static var thePerson: Rights { [.person: .own] }
    package static var personAndFamily: Rights { [.person: .own, .family: .own] }
    /// The person, the family and the carers.
    package static var personal: Rights { [.person: .own, .family: .own, .carer: .own] }
    /// Decisions about data and limits.
    package static var decisions: Rights {
        [.room: .ownWithPIN, .person: .own, .family: .asDecider]
    }
    /// Changes of the person's values.
    package static var changes: Rights { [.person: .own, .family: .asDecider] }
    /// Looks at readings, limits and alarms.
    package static var readings: Rights {
        [.person: .own, .family: .ownReadings, .carer: .ownReadings]
    }
}
