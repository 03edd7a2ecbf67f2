import CloudCommands
import Contract
import ContractSamples
import Foundation
import GatewayModel
import RunBeacon
import SOSLocal
import Samples
import TestSupport
import Testing

@Suite struct `The contract's document` {
    @Test func `is AsyncAPI and JSON Schema, and its examples are by it`() async throws {
        let answer = try await ContractCheck.run("document")
        #expect(answer.code == 0 && answer.problems.isEmpty, "\(answer)")
    }

    @Test func `takes every message that the gateway can make`() async throws {
        let messages = ContractMessages.all.map(ContractCheck.Seen.init)
        let answer = try await ContractCheck.run(messages: messages)
        #expect(answer.code == 0 && answer.problems.isEmpty, "\(answer)")
    }

    @Test func `takes no other`() async throws {
        let good = ContractCheck.Seen(.sample(Sample.reading(1), topics: Sample.topics))
        func changed(_ change: (inout ContractCheck.Seen) -> Void) -> ContractCheck.Seen {
            var seen = good
            change(&seen)
            return seen
        }
        let wrong = [
            changed { $0.qos = 0 }, changed { $0.retain = true },
            changed { $0.topic = "trackme/v1/house-12/samples/maria" },
            changed { $0.topic = $0.topic.replacing("maria", with: "paolo") },
            changed { $0.payload = $0.payload.replacing("8867-4", with: "8867-5") },
            changed { $0.payload = $0.payload.replacing("/min", with: "bpm") },
            changed { $0.payload = $0.payload.replacing(".000Z", with: ".000") },
            changed { $0.payload = $0.payload.replacing("2026-03-01", with: "2026-02-30") },
            changed { $0.payload = $0.payload.replacing(#"{"contact""#, with: #"{"mood":1,"contact""#) },
            changed { $0.payload = $0.payload.replacing(#""person":"maria","#, with: "") },
            changed { $0.payload = "72" },
        ]
        for (number, message) in wrong.enumerated() {
            let answer = try await ContractCheck.run(messages: [good, message])
            #expect(answer.code == 1 && answer.problems.count >= 1, "\(number): \(answer)")
        }
        #expect(try await ContractCheck.run(messages: [good]).code == 0)
    }

    @Test func `takes no other Observation`() async throws {
        let good = ContractCheck.Seen(.sample(Sample.reading(1), as: .fhir, topics: Sample.topics))
        func changed(_ old: String, _ new: String) -> ContractCheck.Seen {
            var seen = good
            seen.payload = seen.payload.replacing(old, with: new)
            return seen
        }
        let wrong = [
            changed("Patient/maria", "Patient/paolo"), changed("Patient/maria", "maria"),
            changed(#""status":"final","#, ""), changed("valueQuantity", "value_quantity"),
            changed(#""valueQuantity""#, #""valueString":"high","valueQuantity""#),
            changed("unitsofmeasure.org", "units.example"), changed("2026-03-01", "2026-02-30"),
            changed(#""subject":{"reference":"Patient/maria"},"#, ""),
        ]
        for (number, message) in wrong.enumerated() {
            #expect(message.payload != good.payload, "\(number)")
            let answer = try await ContractCheck.run(messages: [good, message])
            #expect(answer.code == 1 && answer.problems.count >= 1, "\(number): \(answer)")
        }
        #expect(try await ContractCheck.run(messages: [good]).code == 0)
    }

    @Test(.enabled(if: MosquittoProcess.isInstalled))
    func `is what a running gateway sends and accepts`() async throws {
        let answer = try await ContractCheck.run("daemon", BuiltProgram.homegateway)
        #expect(answer.code == 0 && answer.problems.isEmpty, "\(answer)")
    }
}

/// Lists that the schemas repeat, held to where they are kept.
@Suite struct `The contract's words` {
    private func schema(_ name: String) throws -> [String: Any] {
        let file = Repository.root.appending(path: "docs/contract/schemas/\(name).schema.json")
        return try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    }

    /// The `enum` at a path of members.
    private func words(_ name: String, _ path: String...) throws -> [String] {
        var found: Any = try schema(name)
        for level in path + ["enum"] {
            found = try #require((found as? [String: Any])?[level], "\(name) has no \(path)")
        }
        return try #require(found as? [String])
    }

    @Test func `for kinds, units and codes are those of the one table`() throws {
        let rows = try #require(try schema("coding")["oneOf"] as? [[String: Any]])
        let codings = rows.map { row -> [String?] in
            let members = row["properties"] as? [String: Any] ?? [:]
            return ["kind", "unit", "loinc"].map { (members[$0] as? [String: String])?["const"] }
        }
        #expect(codings == QuantityKind.allCases.map { [$0.rawValue, $0.coding.unit, $0.coding.loinc] })
        #expect(try words("coding", "$defs", "kind") == QuantityKind.allCases.map(\.rawValue))
        #expect(try words("common", "$defs", "doubt", "items") == Doubts.everyWord)
        #expect(try words("coding", "$defs", "dataKind") == DataKind.allCases.map(\.rawValue))
        #expect(
            try words("shared-profile", "properties", "kind")
                == ProfileItem.allCases.map { DataKind.profile($0).rawValue })
        #expect(
            try words("shared-location", "properties", "precision")
                == LocationPrecision.allCases.map(\.rawValue))
    }

    @Test func `for commands and why they are refused are the gateway's own`() throws {
        #expect(
            try words("receipt", "$defs", "reason") == CommandRefusal.Reason.allCases.map(\.rawValue))
        #expect(
            Set(try words("receipt", "$defs", "answer", "properties", "result"))
                == Set(ReceiptClaims.Result.allCases.map(\.rawValue)))
        let forms = try #require(
            ((try schema("command")["$defs"] as? [String: Any])?["cmd"] as? [String: Any])?["oneOf"]
                as? [[String: Any]])
        let types = forms.flatMap { form -> [String] in
            let type = (form["properties"] as? [String: Any])?["type"] as? [String: Any]
            return type?["enum"] as? [String] ?? [type?["const"] as? String ?? "none"]
        }
        let known = CommandKind.allCases.map(\.rawValue)
        #expect(types.sorted() == known.sorted())
    }

    @Test func `for emergencies without a reading are those that the rules can raise`() throws {
        let forms = try #require(
            ((try schema("sos")["$defs"] as? [String: Any])?["cause"] as? [String: Any])?["oneOf"]
                as? [[String: Any]])
        let rules = forms.compactMap { ($0["properties"] as? [String: Any])?["rule"] as? [String: Any] }
        let named = rules.flatMap { rule in
            rule["enum"] as? [String] ?? (rule["const"] as? String).map { [$0] } ?? []
        }
        let signals = WearableSignal.Kind.allCases.map(\.rawValue)
        #expect(Set(named) == Set(signals + ["sensor-silent", "early-warning-score", "drill"]))
        #expect(named.count == Set(named).count)
    }

    @Test func `for conditions, severities, reasons, priorities and means are the gateway's own`() throws {
        #expect(
            try words("status", "properties", "conditions", "items", "properties", "code")
                == HealthCode.allCases.map(\.rawValue))
        #expect(
            try words("common", "$defs", "severity") == HealthCode.Severity.allCases.map(\.rawValue))
        #expect(
            try words("passing", "properties", "flags", "items") == Passing.Flag.allCases.map(\.rawValue))
        #expect(
            try words("correction", "properties", "act")
                == ["add", "strike"] + RaceCorrection.Mark.allCases.map(\.rawValue) + ["undo"])
        #expect(try words("passing", "properties", "method") == Passing.Method.allCases.map(\.rawValue))
        #expect(try words("passing", "properties", "clock") == ClockSource.allCases.map(\.rawValue))
        #expect(
            try words("position", "properties", "flags", "items")
                == RunnerPosition.Flag.allCases.map(\.rawValue))
        #expect(try words("gap", "properties", "reason") == SampleGap.Reason.allCases.map(\.rawValue))
        for form in ["call", "end"] {
            #expect(
                try words("sos", "$defs", form, "properties", "priority")
                    == AlarmPriority.allCases.map(\.rawValue))
        }
        #expect(
            try words("sos", "$defs", "end", "properties", "ending", "properties", "means")
                == PersonAct.Means.allCases.map(\.rawValue))
    }
}
