import GatewayModel
import SeededRandom
import Testing

@Suite struct `Codes of digits that work once` {
    private typealias Codes = OneTimeCodes<Int>

    private let rules = Codes.Rules(validity: .seconds(600), most: 1)
    private let code = OneTimeCode("48217305", of: .digits)!
    private let wrong = OneTimeCode("00000000", of: .digits)!

    private func second(_ seconds: Int64) -> BootInstant { BootInstant(nanoseconds: seconds * 1_000_000_000) }

    @Test func `have eight digits, read back with spaces and hyphens, and no letter`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            let made = OneTimeCode(of: .digits, using: &generator)
            #expect(made.description.count == 8 && made.description.allSatisfy(\.isNumber))
            #expect(OneTimeCode(made.grouped, of: .digits) == made)
        }
        #expect(OneTimeCode("4821 7305", of: .digits) == code)
        for text in ["", "4821730", "482173055", "4821730A", "４８２１７３０５"] {
            #expect(OneTimeCode(text, of: .digits) == nil, "\(text)")
        }
    }

    @Test func `use every digit at every place`() {
        var generator = SeededGenerator(seed: 2)
        var seen = Array(repeating: Set<Character>(), count: OneTimeCode.length)
        for _ in 0..<500 {
            let text = OneTimeCode(of: .digits, using: &generator).description
            for (place, digit) in text.enumerated() { seen[place].insert(digit) }
        }
        #expect(seen.allSatisfy { $0.count == 10 })
    }

    @Test func `tell their owner that they are open, used, void or expired, and are forgotten later`() {
        var codes = Codes(rules)
        #expect(codes.newest(at: second(0)) == nil)
        codes.open(code, for: 7, at: second(0))
        var used = codes
        var void = codes
        #expect(codes.newest(at: second(599))?.standing == .open)
        #expect(codes.newest(at: second(600))?.standing == .expired)
        #expect(codes.newest(at: second(1_200)) == nil)
        #expect(codes.tryCode(code, from: "anna", at: second(600)) == .expired)
        #expect(used.tryCode(code, from: "anna", at: second(599)) == .right(7))
        #expect(used.newest(at: second(599))?.standing == .used)
        for number in 1...5 { #expect(void.tryCode(wrong, from: "eve", at: second(Int64(number))) == .unknown) }
        #expect(void.newest(at: second(6))?.standing == .void)
        #expect(void.tryCode(code, from: "anna", at: second(7)) == .void(byOther: true))
    }

    @Test func `a newer code of the same owner replaces the older one`() {
        var codes = Codes(rules)
        codes.open(code, for: 7, at: second(0))
        codes.open(wrong, for: 7, at: second(1))
        #expect(codes.tryCode(code, from: "anna", at: second(2)) == .unknown)
        #expect(codes.tryCode(wrong, from: "anna", at: second(3)) == .right(7))
    }
}
