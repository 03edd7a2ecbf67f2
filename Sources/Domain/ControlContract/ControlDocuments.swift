package import Consent
import Contract
package import GatewayModel
package import SOSLocal

// Answers for programs: one JSON document each, in snake case. Times are milliseconds since 1970 where no other form is
// named. A field without a value is left out.

/// Policies of each person, and the requests of third parties: `consent list`.
package struct ConsentOverview: FieldDocument, Hashable {
    package static var field: ControlFields.Name { "consents" }

    package struct Policy: Codable, Hashable, Sendable {
        package let person: String
        /// A `ConsentSubject`.
        package let policy: String
        package let isAccepted: Bool

        package init(person: PersonID, _ policy: ConsentSubject, isAccepted: Bool) {
            (self.person, self.policy, self.isAccepted) = (person.text, policy.rawValue, isAccepted)
        }
    }

    package let policies: [Policy]
    /// The oldest first.
    package let requests: [HouseSnapshot.Request]

    package init(policies: [Policy], requests: [HouseSnapshot.Request]) {
        (self.policies, self.requests) = (policies, requests)
    }
}

/// Decisions about data: `consent history`.
package struct DecisionHistory: FieldDocument {
    package static var field: ControlFields.Name { "decisions" }

    package struct Entry: Codable, Sendable {
        package let person: String
        package let decision: MyDataPage.Decision

        package init(_ entry: ConsentEntry) {
            (person, decision) = (entry.decision.person.text, MyDataPage.Decision(entry))
        }
    }

    /// Maximum number of decisions in an answer: some 150 kB, far below the socket's buffer for a slow caller.
    package static let size = 500

    /// The oldest first.
    package let decisions: [Entry]
    /// Number of older decisions that are left out; `my-data export` has all.
    package let leftOut: Int

    /// - Parameter entries: the oldest first.
    package init(_ entries: [ConsentEntry]) {
        decisions = entries.suffix(Self.size).map(Entry.init)
        leftOut = max(entries.count - Self.size, 0)
    }
}

/// A value that belongs to a person, with its source: `profile show`.
package struct ProfileDocument: FieldDocument, Hashable {
    package static var field: ControlFields.Name { "profile" }

    package struct Item: Codable, Hashable, Sendable {
        /// A `ProfileItem`, `note` for a note to helpers.
        package let item: String
        /// Nil where it is not told.
        package let value: String?
        /// Author of the value, and the time; nil for the settings.
        package let by: String?
        package let at: Int64?

        package init(_ item: String, _ value: String?, by author: OwnProfile.Author?) {
            (self.item, self.value, by) = (item, value, author?.by)
            at = author?.time.millisecondsSince1970
        }
    }

    package struct Contact: Codable, Hashable, Sendable {
        package let name, phone: String
        package let relation: String?
        package let getsNotices: Bool
        /// As in `Item`.
        package let by: String?
        package let at: Int64?

        package init(_ contact: PersonProfile.Contact, by author: OwnProfile.Author?) {
            (name, phone, relation) = (contact.name, contact.phone, contact.relation)
            (getsNotices, by, at) = (contact.getsNotices, author?.by, author?.time.millisecondsSince1970)
        }
    }

    package let person: String
    package let items: [Item]
    package let contacts: [Contact]
    /// Numbers of notes and contacts of the settings that the person has removed.
    package let removedNotes, removedContacts: Int

    package init(
        person: PersonID, items: [Item], contacts: [Contact], removed: (notes: Int, contacts: Int)
    ) {
        (self.person, self.items, self.contacts) = (person.text, items, contacts)
        (removedNotes, removedContacts) = removed
    }
}

/// A limit in force: `limits show`.
package struct LimitRow: DocumentRow, Hashable {
    package static var field: ControlFields.Name { "limits" }

    package let person, kind: String
    /// A `LimitSlot`.
    package let limit: String
    /// In `unit` (UCUM), as all figures here.
    package let value: Double
    package let unit: String
    /// Range in which it may be moved; nil where it may not.
    package let lowest, highest: Double?
    /// Figure of the settings.
    package let written: Double

    package init(_ rule: LimitRule, of person: PersonID, written: Double) {
        (self.person, kind, limit) = (person.text, rule.kind.rawValue, rule.slot.rawValue)
        (value, unit, self.written) = (rule.limit, rule.kind.coding.unit, written)
        let bounds = LimitBounds.range(of: rule.kind, rule.side)
        (lowest, highest) = (bounds?.lowerBound, bounds?.upperBound)
    }
}

/// A channel of a person: `channels show`.
package struct ChannelRow: DocumentRow, Hashable {
    package static var field: ControlFields.Name { "channels" }

    package let person, channel: String
    /// It is called in an emergency, and told of warnings.
    package let emergency, warnings: Bool
    /// The person may switch it.
    package let isOwn: Bool
    /// Author of the last choice, and the time; nil for the settings.
    package let by: String?
    package let at: Int64?

    package init(
        person: PersonID, _ channel: ChannelID, emergency: Bool, warnings: Bool, isOwn: Bool,
        by author: OwnProfile.Author?
    ) {
        (self.person, self.channel, self.isOwn) = (person.text, channel.text, isOwn)
        (self.emergency, self.warnings, by) = (emergency, warnings, author?.by)
        at = author?.time.millisecondsSince1970
    }
}

/// A run with its place in this house: `runs list` and `runs show`.
package struct RunRow: DocumentRow, Hashable {
    package static var field: ControlFields.Name { "runs" }

    package struct Runner: Codable, Hashable, Sendable {
        package let bib: Int
        package let wave: String
        package let category, name: String?
        /// Number of tags.
        package let tags: Int

        package init(bib: Int, wave: String, category: String?, name: String?, tags: Int) {
            (self.bib, self.wave, self.category) = (bib, wave, category)
            (self.name, self.tags) = (name, tags)
        }
    }

    package let id, title: String
    /// Nil for a run that the box does not know.
    package let state: String?
    package let start, end: Int64
    /// Number of runners.
    package let runners: Int
    /// Checkpoint at which this box stands.
    package let here: String?
    package let isFromFile, isCommanded: Bool
    /// Bibs of the runners that have left by a command.
    package let left: [Int]
    /// Only where they are asked for.
    package let startList: [Runner]?

    package init(
        id: RunID, title: String, state: String?, start: WallTime, end: WallTime, runners: Int, here: String?,
        isFromFile: Bool, isCommanded: Bool, left: [Int], startList: [Runner]?
    ) {
        (self.id, self.title, self.state) = (id.text, title, state)
        (self.start, self.end) = (start.millisecondsSince1970, end.millisecondsSince1970)
        (self.runners, self.here, self.left) = (runners, here, left)
        (self.isFromFile, self.isCommanded, self.startList) = (isFromFile, isCommanded, startList)
    }
}
