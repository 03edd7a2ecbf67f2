import AmbulanceService
import GatewayModel
import HelpLine
import ModelSamples
import SOSLocal
import TestSupport
import Testing

private typealias Sample = AmbulanceSample

/// The channel against a service over TLS that checks each call against the standard and answers as told.
@Suite struct `The ambulance channel` {
    private let authority: TestAuthority
    private let rig: AmbulanceRig

    init() async throws {
        authority = try await TestAuthority()
        rig = try await AmbulanceRig(try await authority.sign("service", names: "IP:127.0.0.1"))
    }

    private func channel(
        _ path: String, _ format: HTTPSChannel.Format = .cap, attemptLimit: Duration = .seconds(20),
        trial: HTTPSChannel.Trial = .message
    ) throws -> RunningChannel {
        try RunningChannel(
            .rig(
                rig.url(path), format, caFile: authority.certificate, attemptLimit: attemptLimit, trial: trial))
    }

    @Test(arguments: HTTPSChannel.Format.allCases)
    func `hands a call over and takes it back`(_ format: HTTPSChannel.Format) async throws {
        let running = try channel("take", format)
        try await running.run {
            running.channel.test()
            #expect(await running.tests.wait { !$0.isEmpty }, "it runs, so a call from now on is a new one")
            try running.send(Sample.freshCall())
            #expect(await running.words(2) == ["dispatched", "handedOver"])
            try running.send(.retraction(Sample.retraction(), of: Sample.profile))
            #expect(await running.words(3).last == "retracted")
        }
        let posts = Array(rig.posts.dropFirst())
        #expect(posts.map(\.key) == ["\(Sample.alarm).confirmed.1", "\(Sample.alarm).aborted"])
        #expect(posts.allSatisfy { $0.problem == nil })
        switch format {
        case .cap:
            #expect(posts.map(\.type) == Array(repeating: "application/cap+xml; charset=utf-8", count: 2))
            #expect(posts.map(\.msgType) == ["Alert", "Cancel"])
        case .json:
            #expect(posts.map(\.type) == ["application/json", "application/json"])
            #expect(posts.map(\.msgType) == ["confirmed", "aborted"])
        }
        #expect(running.ignored.values.isEmpty)
    }

    @Test func `says that a call by doubtful values is possible, and why`() async throws {
        let (json, cap) = (try channel("take", .json), try channel("take", .cap))
        for running in [json, cap] {
            try await running.run {
                try running.send(Sample.call(Sample.possible))
                #expect(await running.words(2) == ["dispatched", "handedOver"])
            }
        }
        #expect(rig.posts.allSatisfy { $0.problem == nil })
        let document = try #require(rig.posts[0].body)
        let headline = "Help may be needed, the sensor may be wrong. Heart rate too high: Maria Rossi"
        let reasons = "The sensor may be wrong: poor signal, sudden jump of the value."
        for part in [
            #""certainty":"possible""#, #""headline":"\#(headline)""#, #""doubt":"\#(reasons)""#,
            #""doubt":["poor-signal","jump"]"#, #""doubtful":1"#,
        ] {
            #expect(document.contains(part), "\(part) in \(document)")
        }
        let message = try #require(rig.posts[1].body)
        for part in [
            "<certainty>Possible</certainty>", "<headline>\(headline)</headline>", "\n\(reasons)\n",
            "<value>poor-signal jump</value>",
        ] {
            #expect(message.contains(part), "\(part) in \(message)")
        }
    }

    @Test func `follows an early notice with an update that names it`() async throws {
        let running = try channel("take")
        try await running.run {
            try running.send(Sample.call(Sample.order(Sample.crossing, .pending)))
            try running.send(Sample.call(Sample.order(ordered: 70)))
            #expect(await running.words(4) == ["dispatched", "handedOver", "dispatched", "handedOver"])
        }
        // The desk knows alarms since its start: these are older, so the notice alone is the first.
        #expect(rig.posts.map(\.msgType) == ["Alert", "Update"])
        #expect(rig.posts[1].references?.contains("\(Sample.alarm),2026-03-01T08:30:14-00:00") == true)
    }

    @Test(arguments: ["accept", "ack"])
    func `tells who takes the call when the service says so at once`(_ path: String) async throws {
        let running = try channel(path)
        try await running.run {
            try running.send(Sample.call(Sample.order(Sample.crossing, .pending)))
            let by = path == "ack" ? "Operator & 7" : "Operator 7"
            #expect(await running.words(3) == ["dispatched", "handedOver", "accepted by \(by)"])
        }
        #expect(running.ignored.values.isEmpty)
    }

    @Test func `tells who takes the call when asked later`() async throws {
        let running = try channel("poll", .json)
        try await running.run {
            try running.send(Sample.call())
            #expect(await running.words(3) == ["dispatched", "handedOver", "accepted by Operator 7"])
        }
        let questions = rig.heard.values.filter { $0.method == "GET" }
        #expect(questions.map(\.path) == Array(repeating: "/calls/\(Sample.alarm)", count: 3))
    }

    @Test func `asks nobody at another origin`() async throws {
        let running = try channel("elsewhere")
        try await running.run {
            try running.send(Sample.call())
            #expect(await running.words(2) == ["dispatched", "handedOver"])
            #expect(await running.ignored.wait { !$0.isEmpty })
        }
        #expect(running.ignored.values[0].contains("a Location that is not at https://127.0.0.1"))
    }

    @Test func `sends a repeated call under the same key`() async throws {
        let running = try channel("flaky", .json)
        try await running.run {
            try running.send(Sample.call(Sample.order(Sample.crossing, .pending)))
            #expect(await running.words(2) == ["dispatched", "failed"])
            try running.send(Sample.call(Sample.order(Sample.crossing, .pending, ordered: 20)))
            #expect(await running.words(4).suffix(2) == ["dispatched", "handedOver"])
        }
        #expect(rig.posts.map(\.key) == Array(repeating: "\(Sample.alarm).pending.1", count: 2))
        #expect(running.reason.contains("HTTP 500"))
    }

    @Test(arguments: [("hang", "Update"), ("status/500", "Alert")])
    func `repeats as an update what may have arrived, and as an alert what was refused`(
        _ path: String, _ second: String
    ) async throws {
        let running = try channel(path, attemptLimit: .milliseconds(300))
        try await running.run {
            running.channel.test()
            #expect(await running.tests.wait { !$0.isEmpty }, "it runs, so a call from now on is a new one")
            try running.send(Sample.freshCall())
            #expect(await running.words(2) == ["dispatched", "failed"])
            try running.send(Sample.freshCall(round: 2))
            #expect(await running.words(4).suffix(2) == ["dispatched", "failed"])
        }
        #expect(rig.posts.dropFirst().map(\.msgType) == ["Alert", second])
    }

    @Test(arguments: ["hang", "slow-body"])
    func `gives up on a service that does not finish`(_ path: String) async throws {
        let running = try channel(path, attemptLimit: .milliseconds(300))
        try await running.run {
            try running.send(Sample.call())
            #expect(await running.words(2) == ["dispatched", "failed"])
        }
        #expect(running.reason.contains("timed out"))
    }

    @Test func `is not held up by another alarm's hanging call`() async throws {
        let running = try channel("hang", attemptLimit: .seconds(60))
        try await running.run {
            try running.send(Sample.call())
            let other = AlarmCause.signal(
                WearableSignal(
                    id: Sample.id.derived("other"), person: Sample.maria, device: DeviceID(sample: "pendant"),
                    kind: .fall, arrival: Sample.moment(10)))
            try running.send(Sample.call(Sample.order(other)))
            #expect(await rig.heard.wait { $0.count { $0.method == "POST" } == 2 })
        }
        // It was stopped with both under way: each is told as failed.
        #expect(running.words.values.map(\.plain) == ["dispatched", "dispatched", "failed", "failed"])
    }

    @Test func `ends after its limit whatever hangs`() async throws {
        let running = try channel("hang", attemptLimit: .seconds(60))
        let clock = ContinuousClock()
        let began = clock.now
        try await running.run {
            try running.send(Sample.call())
            #expect(await rig.heard.wait { $0.contains { $0.method == "POST" } })
        }
        // Far below the attempt's own limit; how far is the machine's business.
        #expect(began.duration(to: clock.now) < .seconds(30))
        #expect(running.words.values.map(\.plain) == ["dispatched", "failed"])
    }

    @Test func `attempts what was given before it is stopped`() async throws {
        let running = try channel("take")
        try await running.run {
            try running.send(Sample.call())
        }
        #expect(running.words.values.map(\.plain) == ["dispatched", "handedOver"])
    }

    @Test func `follows no redirect`() async throws {
        let running = try channel("redirect")
        try await running.run {
            try running.send(Sample.call())
            #expect(await running.words(2) == ["dispatched", "failed"])
        }
        #expect(running.reason.contains("a redirect, which is not followed"))
        #expect(rig.posts.map(\.path) == ["/redirect"])
    }

    @Test(arguments: [
        ("401", "token"), ("404", "check url"), ("422", "format"), ("503", "cannot take the call"),
    ])
    func `names what a refusal asks of the installer`(_ status: String, _ remedy: String) async throws {
        let running = try channel("status/\(status)")
        try await running.run {
            try running.send(Sample.call())
            #expect(await running.words(2) == ["dispatched", "failed"])
            try running.send(.retraction(Sample.retraction(), of: Sample.profile))
            #expect(await running.words(3).last == "retractionFailed")
        }
        #expect(running.reason.contains(remedy) && running.reason.contains("HTTP \(status)"))
    }

    @Test(
        arguments: [
            ("endless", "longer than 65536 bytes"), ("other-alarm", "another alarm"),
            ("other-reference", "name no message of this alarm"), ("wrong-status", "another status"),
            ("garbage", "not JSON"), ("entities", "not XML"),
        ])
    func `believes no answer that is none`(_ path: String, _ reason: String) async throws {
        let running = try channel(path)
        try await running.run {
            try running.send(Sample.call(Sample.order(Sample.crossing, .pending)))
            #expect(await running.ignored.wait { !$0.isEmpty })
        }
        #expect(running.words.values.map(\.plain) == ["dispatched", "handedOver"])
        #expect(running.ignored.values[0].contains(reason), "\(running.ignored.values)")
    }

    @Test func `takes a CAP Error for a refusal`() async throws {
        let running = try channel("error")
        try await running.run {
            try running.send(Sample.call())
            #expect(await running.words(2) == ["dispatched", "failed"])
        }
        #expect(running.reason.contains("CAP Error"))
    }

    @Test func `ends a head without end`() async throws {
        let running = try channel("endless-head")
        try await running.run {
            try running.send(Sample.call())
            #expect(await running.words(2) == ["dispatched", "failed"])
        }
        #expect(running.reason.contains("head is longer than 32768 bytes"), "\(running.reason)")
    }

    @Test(arguments: HTTPSChannel.Format.allCases)
    func `tests the way with a message that says it is one`(_ format: HTTPSChannel.Format) async throws {
        let running = try channel("take", format)
        try await running.run {
            running.channel.test()
            #expect(await running.tests.wait { !$0.isEmpty })
        }
        #expect(running.tests.values == [.works(detail: "127.0.0.1 answers with HTTP 200")])
        let post = try #require(rig.posts.first)
        #expect(post.problem == nil)
        #expect(post.status?.lowercased() == "test")
        #expect(post.body?.contains("Maria") == false && post.body?.contains("maria") == false)
        #expect(running.words.values.isEmpty)
    }

    @Test func `tests the way without a message where the settings ask for that`() async throws {
        let running = try channel("take", trial: .options)
        try await running.run {
            running.channel.test()
            #expect(await running.tests.wait { !$0.isEmpty })
        }
        #expect(running.tests.values == [.works(detail: "127.0.0.1 answers with HTTP 204")])
        #expect(rig.heard.values.compactMap(\.method) == ["OPTIONS"])
    }

    @Test func `says why a test fails`() async throws {
        let running = try RunningChannel(
            .rig("https://127.0.0.1:\(freePort())/calls", caFile: authority.certificate))
        try await running.run {
            running.channel.test()
            #expect(await running.tests.wait { !$0.isEmpty })
        }
        guard case .fails(let reason) = running.tests.values[0] else {
            Issue.record("nothing listens there")
            return
        }
        #expect(reason.contains("check the port in url"))
    }

    @Test func `marks a drill on the wire`() async throws {
        let running = try channel("take")
        try await running.run {
            try running.send(Sample.call(Sample.order(Sample.drill)))
            _ = await running.words(2)
        }
        #expect(rig.posts.map(\.status) == ["Exercise"])
    }
}
