package import GatewayModel
package import RunBeacon
package import SOSLocal

/// Changes by a person: of race results, and of the values of a person.
extension ControlRequest {
    /// Correction of the results of a run.
    package struct RaceEdit: Hashable, Sendable {
        package let run: RunID
        package let bib: Bib
        package let act: RaceCorrection.Act
        package let reason: String
        package internal(set) var caller: Caller

        /// Errors: a reason that is missing.
        package init(
            _ act: RaceCorrection.Act, of bib: Bib, in run: RunID, reason: String?, by caller: String?
        ) throws(ControlError) {
            let reason = Shown.text(reason ?? "", most: RaceCorrection.reasonLength.upperBound)
            guard reason.contains(where: { !$0.isWhitespace }) else {
                throw ControlError(
                    "reason: missing, expected a word on how this is known; write one and send it again")
            }
            (self.act, self.bib, self.run, self.reason) = (act, bib, run, reason)
            self.caller = Caller(caller)
        }
    }

    /// Change of a person's profile.
    package struct ProfileEdit: Hashable, Sendable {
        package let person: PersonID
        package let change: ProfileChange
        package internal(set) var caller: Caller

        package init(person: String?, _ change: ProfileChange, by caller: String?) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            (self.change, self.caller) = (change, Caller(caller))
        }
    }

    /// Change of a person's limits on one kind of reading.
    package struct LimitEdit: Hashable, Sendable {
        package let person: PersonID
        package let kind: QuantityKind
        /// Nil goes back to the settings.
        package let limits: [LimitSlot: Double?]
        package internal(set) var caller: Caller

        /// - Parameter limits: by the names of the slots; empty to go back to the settings with all of them.
        package init(
            person: String?, kind: String?, limits: [String: Double], by caller: String?
        ) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            self.kind = try ControlField.kind.value(kind) { QuantityKind(rawValue: $0) }
            var slots: [LimitSlot: Double?] = [:]
            for (name, limit) in limits {
                slots[try Self.slot.value(name) { LimitSlot(rawValue: $0) }] = .some(limit)
            }
            if limits.isEmpty { for slot in LimitSlot.allCases { slots[slot] = .some(nil) } }
            (self.limits, self.caller) = (slots, Caller(caller))
        }

        /// Whether it goes back to the settings.
        package var isReset: Bool { limits.values.allSatisfy { $0 == nil } }

        private static let slot = ControlField(
            "limits", expected: "one of " + LimitSlot.allCases.map(\.rawValue).joined(separator: ", "),
            remedy: "name it with --low, --high, --warning-low or --warning-high")
    }

    /// Choice about one channel of a person.
    package struct ChannelEdit: Hashable, Sendable {
        package let person: PersonID
        package let channel: ChannelID
        /// Nil leaves it as it is.
        package let emergency: Bool?
        package let warnings: Bool?
        package internal(set) var caller: Caller

        /// - Parameters:
        ///   - emergency: whether it is called in an emergency.
        ///   - warnings: whether it is told of warnings. Both nil go back to the settings.
        package init(
            person: String?, channel: String?, emergency: Bool?, warnings: Bool?, by caller: String?
        ) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            self.channel = try Self.field.id(channel)
            (self.emergency, self.warnings, self.caller) = (emergency, warnings, Caller(caller))
        }

        package var isReset: Bool { emergency == nil && warnings == nil }

        private static let field = ControlField(
            "subject", expected: "the id of a channel", remedy: "see: homegateway channels show")
    }
}
