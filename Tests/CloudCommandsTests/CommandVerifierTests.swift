import CommandSamples
import Foundation
import ModelSamples
import Testing

@testable import CloudCommands
@testable import GatewayModel

@Suite struct `A signed command` {
    @Test(arguments: [TestIssuer.ed25519(), .p256()])
    func `of a pinned issuer to this gateway and of this time is taken`(_ issuer: TestIssuer) async throws {
        let verifier = try await CommandVerifier.house12(issuer)
        let command = try #require(verifier.judge(try issuer.token()).fresh)
        #expect(command.command == .drill(PersonID(sample: "maria")))
        #expect(command.by == "trackme")
        #expect(command.name == CommandName(issuer: IssuerID(sample: "trackme"), id: "c-1", sequence: 7))
    }

    @Test func `may name who asks`() async throws {
        let issuer = TestIssuer.ed25519()
        let token = try issuer.token(TestClaims.with { $0.more = #","by":"Anna, daughter""# })
        #expect(try await CommandVerifier.house12(issuer).judge(token).fresh?.by == "Anna, daughter")
    }

    @Test func `is taken once, whatever is written around it`() async throws {
        let issuer = TestIssuer.p256()
        let verifier = try await CommandVerifier.house12(issuer)
        var book = CommandJournal()
        let first = try #require(verifier.judge(try issuer.token(), book).fresh)
        book.take(first)
        book.record(.done("a drill"), of: first.name)
        // ECDSA signs the same claims otherwise each time: it is the same command.
        guard case .repeated(_, let entry) = verifier.judge(try issuer.token(), book) else {
            Issue.record("not taken for a repetition")
            return
        }
        #expect(entry.outcome == .done("a drill"))
        let other = try issuer.token(TestClaims.with { $0.command = #"{"type":"abort"}"# })
        #expect(verifier.judge(other, book).reason == .idUsed)
    }

    @Test func `that is repeated after its end is still answered with how it came out`() async throws {
        let issuer = TestIssuer.ed25519()
        let verifier = try await CommandVerifier.house12(issuer)
        var book = CommandJournal()
        book.take(try #require(verifier.judge(try issuer.token(), book).fresh))
        let later = CommandVerifier.Time(
            now: WallTime(millisecondsSince1970: Self.now.millisecondsSince1970 + 1_000_000_000), isRight: true)
        guard case .repeated = verifier.judge(try issuer.token(), book, time: later) else {
            Issue.record("not taken for a repetition")
            return
        }
    }

    @Test func `on the interval of samples is taken within its bounds, from an issuer that may send it`()
        async throws
    {
        let issuer = TestIssuer.ed25519()
        func verdict(_ members: String, may: Set<CommandKind>? = nil) async throws -> CommandVerdict {
            let verifier = CommandVerifier(
                gateway: GatewayID(sample: "house-12"),
                issuers: [try await issuer.pinned(may: may ?? [.sampleInterval])])
            return verifier.judge(
                try issuer.token(
                    TestClaims.with { $0.command = #"{"type":"sample-interval","person":"maria",\#(members)}"# }
                ))
        }
        for seconds in [Int64(0), 1, 3_600] {
            let verdict = try await verdict(#""kind":"heart-rate","seconds":\#(seconds)"#)
            #expect(
                verdict.fresh?.command
                    == .sampleInterval(
                        CloudCommand.SampleInterval(
                            person: PersonID(sample: "maria"), kind: .heartRate, seconds: seconds)))
        }
        for seconds in ["-1", "3601", "0.5", "1e2", "null", "\"10\"", "9223372036854775807"] {
            #expect(
                try await verdict(#""kind":"heart-rate","seconds":\#(seconds)"#).reason == .wrongValue,
                "\(seconds)")
        }
        #expect(try await verdict(#""kind":"heart-rate""#).reason == .wrongValue)
        #expect(try await verdict(#""kind":"location","seconds":10"#).reason == .wrongValue)
        #expect(try await verdict(#""kind":"glucose","seconds":10,"device":"strap""#).reason == .unknownMember)
        let standard = try await verdict(#""kind":"glucose","seconds":10"#, may: CommandKind.standard)
        #expect(standard.reason == .notAllowed)
    }

    @Test func `to link an account has a code of eight digits, and no other request has one`() async throws {
        let issuer = TestIssuer.ed25519()
        let verifier = try await CommandVerifier.house12(issuer)
        func verdict(_ party: String, _ more: String) throws -> CommandVerdict {
            verifier.judge(
                try issuer.token(
                    TestClaims.with {
                        $0.command =
                            #"{"type":"request","request":"r1","person":"maria","purpose":"Link it","#
                            + #""party":{"id":"\#(party)","name":"Anna"},\#(more)}"#
                    }))
        }
        let linked = try verdict("trackme-account", #""kinds":[],"code":"48217305""#)
        guard case .request(_, let code)? = linked.fresh?.command else {
            Issue.record("\(linked)")
            return
        }
        #expect(code == OneTimeCode("48217305", of: .digits))
        guard case .request(_, nil)? = try verdict("trackme-account", #""kinds":[]"#).fresh?.command else {
            Issue.record("a request without a code was not read")
            return
        }
        for code in ["48217305", #""4821-7305""#, #""4821730""#, #""482173O5""#, "null"] {
            #expect(
                try verdict("trackme-account", #""kinds":[],"code":\#(code)"#).reason == .wrongValue, "\(code)")
        }
        #expect(try verdict("uni", #""kinds":["heart-rate"],"code":"48217305""#).reason == .wrongValue)
    }

    @Test func `about a run is taken from an issuer with a right to this run alone`() async throws {
        let issuer = TestIssuer.ed25519()
        func verdict(_ runs: [String]?, _ command: String) async throws -> CommandVerdict {
            let verifier = CommandVerifier(
                gateway: GatewayID(sample: "house-12"),
                issuers: [try await issuer.pinned(runs: runs.map { Set($0.compactMap { RunPattern($0) }) })])
            return verifier.judge(try issuer.token(TestClaims.with { $0.command = command }))
        }
        for command in [
            #"{"type":"run-cancel","run":"milan"}"#, #"{"type":"run-leave","run":"milan","bibs":[17]}"#,
        ] {
            for runs in [nil, ["milan"], ["rome", "milan"], ["mil*"], ["milan*"]] as [[String]?] {
                #expect(try await verdict(runs, command).fresh != nil, "\(command) \(String(describing: runs))")
            }
            for runs in [[], ["rome"], ["mila"], ["milan-*"], ["rome*"]] {
                #expect(try await verdict(runs, command).reason == .notAllowed, "\(command) \(runs)")
            }
        }
        // Other commands are not about runs.
        #expect(try await verdict(["rome"], #"{"type":"abort"}"#).fresh != nil)
    }

    @Test func `has to have a higher seq than the one before it, of its issuer`() async throws {
        let (issuer, other) = (TestIssuer.ed25519(), TestIssuer.p256("operator", keyID: "op-1"))
        let verifier = try await CommandVerifier.house12(issuer, other)
        var book = CommandJournal()
        book.take(try #require(verifier.judge(try issuer.token(), book).fresh))
        for (sequence, isTaken) in [("6", false), ("7", false), ("8", true), ("900", true)] {
            let token = try issuer.token(TestClaims.with { ($0.id, $0.sequence) = ("c-2", sequence) })
            let verdict = verifier.judge(token, book)
            #expect(verdict.reason == (isTaken ? nil : .sequenceNotRising), "seq \(sequence)")
        }
        #expect(verifier.judge(try other.token(TestClaims.with { $0.sequence = "1" }), book).fresh != nil)
    }

    @Test func `that is refused before it is taken leaves its seq and jti free`() async throws {
        let issuer = TestIssuer.ed25519()
        let verifier = try await CommandVerifier.house12(issuer)
        let unset = CommandVerifier.Time(now: WallTime(millisecondsSince1970: 0), isRight: false)
        #expect(verifier.judge(try issuer.token(), time: unset).reason == .clockNotSet)
        #expect(verifier.judge(try issuer.token()).fresh != nil)
    }

    @Test func `waits for the right time, but for what only ends something`() async throws {
        let issuer = TestIssuer.ed25519()
        let verifier = try await CommandVerifier.house12(issuer)
        let unset = CommandVerifier.Time(now: WallTime(millisecondsSince1970: 0), isRight: false)
        let alarm = "0190c3a2-0000-7000-8000-000000000001"
        for (command, reason): (String, CommandRefusal.Reason?) in [
            (#"{"type":"drill","person":"maria"}"#, .clockNotSet),
            (#"{"type":"heartbeat-interval","seconds":60}"#, .clockNotSet),
            (#"{"type":"abort"}"#, .clockNotSet), (#"{"type":"abort","person":"maria"}"#, .clockNotSet),
            (#"{"type":"abort","alarm":"\#(alarm)"}"#, nil),
        ] {
            let token = try issuer.token(TestClaims.with { $0.command = command })
            #expect(verifier.judge(token, time: unset).reason == reason, "\(command)")
        }
    }

    @Test func `issued before the gateway began to remember is refused`() async throws {
        let issuer = TestIssuer.ed25519()
        let verifier = try await CommandVerifier.house12(issuer)
        var book = CommandJournal()
        book.begin(at: Self.now)
        #expect(verifier.judge(try issuer.token(), book).reason == .issuedBeforeMemory)
        let later = try issuer.token(TestClaims.with { $0.issued = "\(TestClaims.now)" })
        #expect(verifier.judge(later, book).fresh != nil)
    }

    @Test func `takes a minute's difference between two clocks`() async throws {
        let issuer = TestIssuer.ed25519()
        let verifier = try await CommandVerifier.house12(issuer)
        let early = try issuer.token(TestClaims.with { $0.issued = "\(TestClaims.now + 60)" })
        #expect(verifier.judge(early).fresh != nil)
        let late = try issuer.token(
            TestClaims.with {
                ($0.issued, $0.expires) = ("\(TestClaims.now - 86_459)", "\(TestClaims.now - 59)")
            })
        #expect(verifier.judge(late).fresh != nil)
    }

    @Test func `is no longer taken by a key that was rotated away`() async throws {
        let (old, new) = (TestIssuer.ed25519(), TestIssuer.p256(keyID: "2026-2"))
        var verifier = try await CommandVerifier.house12(old)
        var book = CommandJournal()
        let rotation = try old.token(
            TestClaims.with { $0.command = #"{"type":"rotate-key","key":\#(new.jwk)}"# })
        let command = try #require(verifier.judge(rotation, book).fresh)
        guard case .rotateKey(let offered) = command.command else {
            Issue.record("\(command.command)")
            return
        }
        let key = try await offered.pinned()
        book.take(command)
        let standsFor = verifier.issuers[0].rotate(command.key, to: key)
        let successors = [try #require(standsFor): key.jwk]
        func next(_ issuer: TestIssuer) throws -> String {
            try issuer.token(TestClaims.with { ($0.id, $0.sequence) = ("c-2", "8") })
        }
        #expect(verifier.judge(try next(old), book).reason == .unknownKey)
        #expect(verifier.judge(try next(new), book).fresh != nil)

        // After a restart, from the settings and the book; and once the settings name another key instead.
        let restarted = CommandVerifier(
            gateway: verifier.gateway, issuers: [try await old.pinned().rotated(by: successors)])
        #expect(restarted.judge(try next(old), book).reason == .unknownKey)
        #expect(restarted.judge(try next(new), book).fresh != nil)
        let third = TestIssuer.ed25519(keyID: "2026-3")
        let mended = CommandVerifier(
            gateway: verifier.gateway, issuers: [try await third.pinned().rotated(by: successors)])
        #expect(mended.judge(try next(new), book).reason == .unknownKey)
        #expect(mended.judge(try next(third), book).fresh != nil)
    }

    @Test func `is not taken by a key that was used before, under whatever name`() async throws {
        let (old, new) = (TestIssuer.ed25519(), TestIssuer.p256(keyID: "2026-2"))
        func key(_ issuer: TestIssuer, _ id: String) async throws -> PinnedKey {
            try await PinnedKey(jwk: Array(TestIssuer(id: issuer.id, keyID: id, key: issuer.key).jwk.utf8))
        }
        var issuer = try await old.pinned()
        #expect(issuer.hasUsed(try await key(old, "2027-1")))
        #expect(issuer.hasUsed(try await key(new, old.keyID)))
        let next = try await key(new, new.keyID)
        #expect(!issuer.hasUsed(next))
        let root = issuer.rotate(issuer.keys[0], to: next)
        #expect(root != nil)
        // Its place was taken: the file still has it, and it is never to come back.
        #expect(issuer.hasUsed(try await key(old, "2027-1")))
        #expect(!issuer.hasUsed(try await key(.ed25519(), "2027-1")))
    }

    private static let now = CommandVerifier.testTime.now
}

@Suite struct `The book of commands` {
    @Test func `forgets the oldest outcomes and never a sequence`() async throws {
        let issuer = TestIssuer.ed25519()
        let verifier = try await CommandVerifier.house12(issuer)
        var book = CommandJournal()
        for number in 1...(CommandJournal.kept + 5) {
            let token = try issuer.token(
                TestClaims.with { ($0.id, $0.sequence) = ("c-\(number)", "\(number)") })
            book.take(try #require(verifier.judge(token, book).fresh))
        }
        #expect(book.entries.count == CommandJournal.kept)
        let first = try issuer.token(TestClaims.with { ($0.id, $0.sequence) = ("c-1", "1") })
        #expect(verifier.judge(first, book).reason == .sequenceNotRising)
    }

    @Test func `begins to remember once`() {
        var book = CommandJournal()
        book.begin(at: WallTime(millisecondsSince1970: 5))
        book.begin(at: WallTime(millisecondsSince1970: 9))
        #expect(book.since == WallTime(millisecondsSince1970: 5))
    }
}
