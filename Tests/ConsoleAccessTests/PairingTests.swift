import ConsoleAccess
import ControlContract
import GatewayModel
import PageSecurity
import SeededRandom
import Testing

extension BootInstant {
    static func second(_ seconds: Int64) -> BootInstant { BootInstant(nanoseconds: seconds * 1_000_000_000) }
}

@Suite struct `Pairing a device` {
    private var machine = PairingCodes()
    private let code = OneTimeCode("ABCD2345", of: .letters)!
    private let anna: ControlSession

    init() throws { anna = try ControlSession(role: .family, person: PersonID("maria"), name: "Anna") }

    private mutating func tryCode(
        _ text: String, from visitor: String = "hers", at now: BootInstant
    ) -> PairingCodes.Outcome { machine.tryCode(text, from: visitor, at: now) }

    private func tried(
        _ machine: inout PairingCodes, _ text: String, from visitor: String = "hers", at now: BootInstant
    ) -> PairingCodes.Outcome { machine.tryCode(text, from: visitor, at: now) }

    @Test func `a code has eight letters that people do not misread`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            let text = OneTimeCode(of: .letters, using: &generator).description
            #expect(text.utf8.count == 8)
            #expect(!text.contains { "ILOU".contains($0) })
            #expect(OneTimeCode(text, of: .letters)?.description == text)
        }
    }

    @Test func `a typed code may have lower case, spaces, hyphens and misread letters`() {
        #expect(OneTimeCode("ab cd-2345", of: .letters) == code)
        #expect(OneTimeCode("oil0-0000", of: .letters)?.description == "01100000")
        for wrong in ["", "ABCD234", "ABCD23456", "ABCDU345", "ABCD234é", String(repeating: "-", count: 99)] {
            #expect(OneTimeCode(wrong, of: .letters) == nil, "\(wrong)")
        }
    }

    @Test mutating func `a code works once, and says whether another device has used it`() {
        machine.open(code, for: anna, at: .second(0))
        #expect(tryCode("abcd-2345", at: .second(1)) == .tried(.right(anna)))
        #expect(tryCode("abcd-2345", at: .second(2)) == .tried(.used(byOther: false)))
        #expect(tryCode("abcd-2345", from: "another", at: .second(3)) == .tried(.used(byOther: true)))
    }

    @Test mutating func `a code works before its five minutes are over, and is then too old`() {
        machine.open(code, for: anna, at: .second(0))
        var late = machine
        #expect(tryCode("ABCD2345", at: .second(299)) == .tried(.right(anna)))
        #expect(tried(&late, "ABCD2345", at: .second(300)) == .tried(.expired))
    }

    @Test mutating func `five wrong tries void a code, four do not`() {
        machine.open(code, for: anna, at: .second(0))
        for second in 1...4 { #expect(tryCode("00000000", at: .second(Int64(second))) == .tried(.unknown)) }
        var voided = machine
        #expect(tryCode("ABCD2345", at: .second(5)) == .tried(.right(anna)))
        #expect(tried(&voided, "not a code", at: .second(5)) == .tried(.unknown))
        #expect(tried(&voided, "ABCD2345", at: .second(6)) == .tried(.void(byOther: false)))
    }

    @Test mutating func `the right code says that somebody else has tried wrong ones`() {
        machine.open(code, for: anna, at: .second(0))
        for second in 1...5 {
            #expect(tryCode("00000000", from: "a stranger", at: .second(Int64(second))) == .tried(.unknown))
        }
        #expect(tryCode("ABCD2345", at: .second(6)) == .tried(.void(byOther: true)))
        #expect(tryCode("ABCD2345", at: .second(299)) == .tried(.void(byOther: true)), "also the second time")
    }

    @Test mutating func `the eleventh try of a minute is not looked at, even with the right code`() {
        for second in 0..<10 { #expect(tryCode("00000000", at: .second(Int64(second))) == .tried(.unknown)) }
        machine.open(code, for: anna, at: .second(10))
        #expect(
            tryCode("ABCD2345", at: .second(10)) == .throttled(retryAfter: .seconds(50), byOther: false))
        #expect(
            tryCode("ABCD2345", from: "another", at: .second(10))
                == .throttled(retryAfter: .seconds(50), byOther: true))
        #expect(tryCode("ABCD2345", at: .second(60)) == .tried(.right(anna)))
    }

    @Test mutating func `open codes are bounded, and the oldest gives way`() {
        var generator = SeededGenerator(seed: 2)
        machine.open(code, for: anna, at: .second(0))
        for _ in 0..<PairingCodes.rules.most {
            machine.open(OneTimeCode(of: .letters, using: &generator), for: anna, at: .second(1))
        }
        #expect(tryCode("ABCD2345", at: .second(2)) == .tried(.unknown))
    }
}

@Suite struct `Limits of a session's acts` {
    private var limiter = ActRateLimiter()
    private var generator = SeededGenerator(seed: 3)

    private mutating func take(_ id: SessionID, at now: BootInstant) -> Bool { limiter.take(id, at: now) }

    @Test mutating func `a session acts twenty times a minute, and another session is not held up`() {
        let (one, other) = (SessionToken(using: &generator).id, SessionToken(using: &generator).id)
        for _ in 0..<20 { #expect(take(one, at: .second(0))) }
        #expect(!take(one, at: .second(59)))
        #expect(take(other, at: .second(59)))
        #expect(take(one, at: .second(60)))
    }
}
