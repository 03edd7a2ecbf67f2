package import GatewayModel
package import RunBeacon

extension Verb {
    /// Asks whether the box hears a tag.
    package struct RaceSelfTest: ControlVerb {
        package static let verb = "race_self_test"
        package static let rights: Rights = [.installer: .any, .organiser: .any]
        package let tag: TagName

        package init(_ tag: TagName) { self.tag = tag }

        package init(from decoder: any Decoder) throws {
            let text: String = try Self.field.text(try ControlFields(decoder)["subject"])
            do throws(TagIdentity.Flaw) {
                tag = try TagName(text)
            } catch {
                throw ControlError("the tag cannot be used: \(error)")
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("subject", tag.description)
        }

        private static let field = ControlField(
            "subject", expected: "the tag of a runner", remedy: "name it as the start list does")
    }

    package struct Runs: ControlVerb {
        package typealias Document = [RunRow]
        package static let verb = "runs"
        package static let rights: Rights = [.organiser: .any, .anyone: .withoutNames]
        private static let runners = "runners"
        /// Nil for all runs.
        package let run: RunID?
        /// Whether the answer names the runners.
        package let listsRunners: Bool

        package init(run: RunID?, listsRunners: Bool = false) {
            (self.run, self.listsRunners) = (run, listsRunners)
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            let kind: String? = try fields["kind"]
            self.init(run: try fields.optionalRun, listsRunners: kind == Self.runners)
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("subject", run?.text)
            try fields.put("kind", listsRunners ? Self.runners : nil)
        }

        package var scope: ControlScope {
            var scope = ControlScope()
            scope.namesRunners = listsRunners
            return scope
        }
    }

    /// Newest positions of the runners.
    package struct Positions: ControlVerb {
        package typealias Document = [PositionRow]
        package static let verb = "positions"
        /// The answer to spectators has no names but where the run shows them.
        package static let rights: Rights = [.organiser: .any, .anyone: .any]
        /// Nil for all runs.
        package let run: RunID?

        package init(in run: RunID?) { self.run = run }
        package init(from decoder: any Decoder) throws { run = try ControlFields(decoder).optionalRun }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("subject", run?.text)
        }
    }

    package struct ReloadRuns: ControlVerb {
        package static let verb = "reload_runs"
        package static let rights = Rights.organisers
        package init() {}
    }

    /// Vital signs of a runner, as far as a third party may see them.
    package struct RunnerVitals: ControlVerb {
        package typealias Document = ControlContract.RunnerVitals
        package static let verb = "runner_vitals"
        package static let rights = Rights.nobody
        package let run: RunID
        package let bib: Bib
        package let party: PartyID

        package init(run: RunID, bib: Bib, for party: PartyID) {
            (self.run, self.bib, self.party) = (run, bib, party)
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            self.init(
                run: try fields.run, bib: try fields.bib, for: try ControlField.party.id(try fields["by"]))
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("subject", run.text)
            try fields.put("bib", bib.number)
            try fields.put("by", party.text)
        }
    }

    /// State of a run for its pages: a part of a `RaceDocument`.
    package struct Race: ControlVerb {
        package typealias Document = RaceDocument
        package static let verb = "race"
        package static let rights: Rights = [.organiser: .any, .anyone: .any]
        package let run: RunID
        /// Number of the first row.
        package let first: Int

        package init(_ run: RunID, from first: Int = 0) { (self.run, self.first) = (run, first) }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            self.init(try fields.run, from: Int(try fields.start))
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("subject", run.text)
            try fields.put("from", first == 0 ? nil : first)
        }
    }

    /// Correction of the results of a run.
    package struct CorrectRace: ControlAct {
        package static let verb = "correct_race"
        package static let rights = Rights.organisers
        package let run: RunID
        package let bib: Bib
        package let act: RaceCorrection.Act
        package let reason: String
        package var caller: Caller

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

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            let record: CorrectionRecord = try Self.field.text(try fields["correction"])
            try self.init(
                try record.correction, of: try fields.bib, in: try fields.run, reason: try fields["reason"],
                by: try fields["by"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("subject", run.text)
            try fields.put("bib", bib.number)
            try fields.put("correction", CorrectionRecord(act))
            try fields.put("reason", reason)
            try fields.put("by", caller.name)
        }

        private static let field = ControlField(
            "correction", expected: "an object with the act", remedy: "see: docs/integrator/control.md")
    }
}
