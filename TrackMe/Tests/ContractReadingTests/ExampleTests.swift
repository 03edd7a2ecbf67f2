import Contract
import Foundation
import GatewayModel
import HostileInput
import TestSupport
import Testing

@testable import ContractReading

/// The decoders, held to `docs/contract/examples`.
@Suite struct `The contract's examples` {
    struct Example: CustomTestStringConvertible, Sendable {
        let name: String
        let topic: String
        let payload: [UInt8]

        var testDescription: String { name }

        func read(_ payload: [UInt8]) throws -> ContractMessage {
            try ContractMessage(payload, on: ContractTopic(topic))
        }
    }

    /// Folders of the examples with a topic of theirs; `kind` and `person` stand for the members of the example.
    private static let topics = [
        "correction": "runs/{run}/corrections", "gap": "samples/{person}/{kind}/gap", "heartbeat": "heartbeat",
        "notice": "notices/{person}",
        "observation": "samples/maria/heart-rate", "observations": "samples/maria",
        "passing": "runs/{run}/passings", "position": "runs/{run}/positions", "runner": "runs/{run}/runners",
        "sample": "samples/{person}/{kind}", "samples": "samples/{person}",
        "sealed": "parties/clinic/maria/heart-rate", "sharedGap": "parties/{party}/{person}/{kind}/gap",
        "sharedLimits": "parties/{party}/{person}/{kind}",
        "sharedLocation": "parties/{party}/{person}/{kind}",
        "sharedObservation": "parties/clinic/maria/heart-rate",
        "sharedProfile": "parties/{party}/{person}/{kind}",
        "sharedSample": "parties/{party}/{person}/{kind}", "sharedSamples": "parties/{party}/{person}/{kind}",
        "sos": "sos/{person}", "status": "status",
    ]
    /// Signed, or sent to the gateway.
    private static let others: Set<String> = ["accepted", "command", "desk", "receipt", "refused"]

    private static let folder = Repository.root.appending(path: "docs/contract/examples")

    static func files(_ folder: String) throws -> [(name: String, bytes: [UInt8])] {
        try FileManager.default.contentsOfDirectory(
            at: Self.folder.appending(path: folder), includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }.map {
            (
                "\(folder)/\($0.lastPathComponent)",
                [UInt8](String(decoding: try Data(contentsOf: $0), as: UTF8.self).trimmed.utf8)
            )
        }
    }

    static let examples = try! topics.sorted { $0.key < $1.key }.flatMap { folder, pattern in
        try files(folder).map { name, bytes in
            let members = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
            var path = pattern
            for key in ["person", "kind", "run", "party"] {
                if let value = members[key] as? String { path = path.replacing("{\(key)}", with: value) }
            }
            return Example(
                name: name, topic: "trackme/v1/\(members["box"] as? String ?? "house-12")/\(path)",
                payload: bytes)
        }
    }

    @Test func `of a doubtful value gives its doubts`() throws {
        let read = try Self.examples.filter { $0.name.hasPrefix("sample") }.flatMap { example in
            guard case .samples(let records) = try example.read(example.payload) else {
                return [SampleRecord]()
            }
            return records
        }
        #expect(read.filter { !$0.doubts.isEmpty }.map(\.kind) == ["oxygen-saturation"])
    }

    @Test func `all have a decoder`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(folders) == Set(Self.topics.keys).union(Self.others))
        #expect(Self.examples.count >= 30)
    }

    @Test(arguments: examples) func `are decoded`(_ example: Example) throws {
        let message = try example.read(example.payload)
        if case .emergency(let emergency) = message {
            #expect(!emergency.isPartial)
            #expect(emergency.state.isEnd == (emergency.ending != nil))
        }
    }

    @Test(arguments: examples) func `are refused when cut short anywhere`(_ example: Example) {
        for length in 0..<example.payload.count {
            #expect(throws: ContractFault.self, "\(length) bytes") {
                try example.read(Array(example.payload.prefix(length)))
            }
        }
    }

    @Test(arguments: examples) func `are decoded alike with members of a newer gateway`(_ example: Example)
        throws
    {
        let newer = Array(#"{"new_member": {"x": [1]},"#.utf8) + example.payload.dropFirst()
        let (old, new) = (try example.read(example.payload), try example.read(newer))
        // Those are kept as they came.
        if case .copy = old { return }
        if case .observations = old { return }
        #expect(old == new)
    }

    @Test(arguments: examples) func `are refused on the topic of another person or run`(_ example: Example)
        throws
    {
        for key in ["maria", "milan", "spring-10k", "paolo"] where example.topic.contains("/\(key)") {
            // A sealed copy and a FHIR resource name nobody.
            let isOpaque =
                ["sealed", "observation", "sharedObservation"].contains { example.name.hasPrefix($0) }
            guard !isOpaque else { continue }
            let topic = try ContractTopic(example.topic.replacing("/\(key)", with: "/somebody"))
            #expect(throws: ContractFault.self) { try ContractMessage(example.payload, on: topic) }
        }
    }

    @Test func `show the measurement of a copy, open or sealed, and none of what lasts`() throws {
        let measured = try Self.examples.compactMap { example -> (String, String?)? in
            guard case .copy(let copy) = try example.read(example.payload) else { return nil }
            return (example.name, copy.measured?.rfc3339)
        }
        let expected = [
            "sealed/reading.json": "2026-03-01T15:53:57.568Z",
            "sharedGap/thinned.json": "2026-03-01T09:29:59.000Z",
            "sharedLocation/coarse.json": "2026-03-01T08:30:00.000Z",
            "sharedLocation/exact.json": "2026-03-01T08:30:12.345Z",
            "sharedObservation/heart-rate.json": "2026-03-01T08:30:07.000Z",
            "sharedSample/heart-rate.json": "2026-03-01T08:30:07.000Z",
            "sharedSamples/heart-rate.json": "2026-03-01T08:30:07.000Z",
        ]
        #expect(Dictionary(uniqueKeysWithValues: measured).compactMapValues(\.self) == expected)
        #expect(measured.count == expected.count + 4)
        // FHIR of a party comes on the same topics.
        let topic = try ContractTopic("trackme/v1/house-12/parties/clinic/maria/heart-rate")
        for (folder, time) in [
            ("observation", "2026-03-01T08:29:30.000Z"), ("observations", "2026-03-01T08:30:07.000Z"),
        ] {
            let times = try Self.files(folder).compactMap { _, bytes -> String? in
                guard case .copy(let copy) = try ContractMessage(bytes, on: topic) else { return nil }
                return copy.measured?.rfc3339
            }
            #expect(times.min() == time)
        }
    }

    @Test func `of a copy name the request that it answers, in each form`() throws {
        let requests = try Self.examples.compactMap { example -> String?? in
            guard case .copy(let copy) = try example.read(example.payload) else { return nil }
            return .some(copy.request?.text)
        }
        #expect(requests.count == 11 && Set(requests) == ["study-7"], "\(requests)")
    }

    @Test func `of a copy may show a time of another form without being refused`() throws {
        let topic = try ContractTopic("trackme/v1/house-12/parties/clinic/maria/heart-rate")
        for member in [#""time":"soon""#, #""samples":7"#, #""samples":[{"time":{}},3]"#, #""entry":{}"#] {
            let payload = Array(
                #"{\#(member),"grant":4,"kind":"heart-rate","party":"clinic","person":"maria"}"#.utf8)
            guard case .copy(let copy) = try ContractMessage(payload, on: topic) else {
                Issue.record("\(member)")
                continue
            }
            #expect(copy.measured == nil, "\(member)")
        }
    }

    @Test func `read as receipts when their signature was verified`() throws {
        let receipts = try Self.files("receipt").map { name, bytes in
            (name, try HouseReceipt(claims: bytes, from: try #require(GatewayID("house-12"))))
        }
        let events = Dictionary(uniqueKeysWithValues: receipts.map { ($0.0, $0.1.event) })
        guard case .decided(let decision)? = events["receipt/decided-request.json"],
            case .request(let party, _, let kinds, let number, _) = decision.subject
        else {
            Issue.record("\(events)")
            return
        }
        #expect(decision.verdict == .accepted)
        #expect(party.text == "uni-milano" || !party.text.isEmpty)
        #expect(!kinds.isEmpty)
        #expect(number != nil)
        guard case .command(let answer)? = events["receipt/refused.json"] else {
            Issue.record("\(events)")
            return
        }
        #expect(answer.result == .refused)
        #expect(answer.reason == "expired")
        #expect(throws: ContractFault.elsewhere(member: "iss")) {
            try HouseReceipt(
                claims: try Self.files("receipt")[0].bytes, from: try #require(GatewayID("house-13")))
        }
    }

    @Test func `changed at random end in a value or an error`() throws {
        let examples = Self.examples
        let topics = try Set(examples.map(\.topic)).sorted().map { try ContractTopic($0) }
        let gateway = try #require(GatewayID("house-12"))
        let seeds = examples.map(\.payload) + (try Self.files("receipt").map(\.bytes))
        Campaign("contract-reading").run(seeds: seeds) { input in
            for topic in topics { _ = try? ContractMessage(input, on: topic) }
            _ = try? HouseReceipt(claims: input, from: gateway)
            _ = try? ContractTopic(String(decoding: input, as: UTF8.self))
        }
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
