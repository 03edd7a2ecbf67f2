package import GatewayModel
import Synchronization

/// News about a person that is no emergency, for people outside the house.
///
/// The part that raises it writes its text, because only that part knows the event. The text names no reading.
package struct Notice: Hashable, Sendable {
    /// Recipients, besides the people in the house.
    package enum Audience: Hashable, Sendable {
        /// The carers' channels of the person, and the contacts that are marked for notices.
        case carers
        /// The contacts who decide about consent with the person.
        case deciders
    }

    package enum Urgency: Hashable, Sendable {
        /// Leaves at any hour: nobody watches, or help cannot be called.
        case atOnce
        /// Waits for the waking hours of the house.
        case wakingHours
    }

    package let person: PersonID
    /// Names the matter, `mains-lost`, `battery-low strap`: a later notice of the same matter replaces one that waits.
    package let matter: String
    package let audience: Audience
    package let urgency: Urgency
    package let text: Text

    package init(
        about person: PersonID, _ matter: String, to audience: Audience, _ urgency: Urgency, _ text: Text
    ) {
        (self.person, self.matter, self.audience, self.urgency) = (person, matter, audience, urgency)
        self.text = text
    }
}

/// Notices on their way to the part that sends them. From any thread.
package final class NoticeInbox: Sendable {
    /// A house with ten persons raises some dozens at most when everything fails at once.
    private static let limit = 256

    private let waiting = Mutex<[Notice]>([])

    package init() {}

    /// Adds the notice, in place of a waiting one of the same matter, person and audience. Beyond 256, the oldest is
    /// dropped.
    package func post(_ notice: Notice) {
        waiting.withLock { waiting in
            waiting.removeAll {
                $0.person == notice.person && $0.matter == notice.matter && $0.audience == notice.audience
            }
            if waiting.count >= Self.limit { waiting.removeFirst() }
            waiting.append(notice)
        }
    }

    /// Returns all notices that were posted since the last call, oldest first.
    package func take() -> [Notice] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
