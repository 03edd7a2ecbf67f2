import GatewayModel
import RunBeacon
import Testing

@Suite struct `A name` {
    @Test(arguments: ["maria", "house-12", "7", "a" + String(repeating: "b", count: 31)])
    func `of the form is taken as it is`(text: String) {
        #expect(PersonID(text)?.text == text)
    }

    @Test(arguments: [
        "", "-a", "Maria", "mar ia", "a/b", "a+", "#", "é", "a" + String(repeating: "b", count: 32),
    ])
    func `that could escape its topic level is none`(text: String) {
        #expect(PersonID(text) == nil)
    }
}

@Suite struct `A device address` {
    @Test func `is six octets in either case`() {
        #expect(DeviceAddress("c0:ff:ee:00:00:01")?.description == "C0:FF:EE:00:00:01")
    }

    @Test(arguments: [
        "", "C0:FF:EE:00:00", "C0:FF:EE:00:00:01:02", "C0-FF-EE-00-00-01", "C0:FF:EE:00:00:G1",
        "C0:FF:EE:00:00:٠١",
    ])
    func `is nothing else`(text: String) {
        #expect(DeviceAddress(text) == nil)
    }
}

@Suite struct `Derived numbers` {
    /// Of FNV-1a and SplitMix64 as their authors publish them: ids that are told again depend on it for ever.
    @Test func `are the same of the same words, in every version`() {
        var numbers = DerivedNumbers(of: "a")
        #expect([numbers.next(), numbers.next()] == [6_857_225_946_766_476_583, 18_412_106_973_715_859_535])
    }
}

@Suite struct `A message id` {
    @Test func `is a version 7 UUID that begins with its time`() throws {
        var random = SystemRandomNumberGenerator()
        let id = MessageID(wall: WallTime(millisecondsSince1970: 0x0190_C3A2_1234), using: &random)
        #expect(id.description.hasPrefix("0190c3a2-1234-7"))
        let variant = try #require(id.description.split(separator: "-")[3].first)
        #expect("89ab".contains(variant))
        #expect(MessageID(id.description) == id)
    }

    @Test func `differs from another of the same millisecond`() {
        var random = SystemRandomNumberGenerator()
        let wall = WallTime(millisecondsSince1970: 1)
        let ids = (0..<1_000).map { _ in MessageID(wall: wall, using: &random) }
        #expect(Set(ids).count == 1_000)
    }

    @Test func `keeps every digit of its text, in small letters`() throws {
        let text = "01234567-89AB-CDEF-fedc-ba9876543210"
        #expect(try #require(MessageID(text)).description == text.lowercased())
    }

    @Test(arguments: [
        "", "x", "0190c3a2-1234-7000-8000-00000000000", "0190c3a2-1234-7000-8000-0000000000000",
        "0190c3a2x1234-7000-8000-000000000000", "0190c3a-21234-7000-8000-000000000000",
        "0190c3a2-1234-7000-8000-00000000000g", "0190c3a2-1234-7000-8000-0000000000é",
        "0190c3a2-1234-7000-8000-000000000٠0",
    ])
    func `is nothing else`(text: String) {
        #expect(MessageID(text) == nil)
    }
}

@Suite struct `The time between two that can be written down` {
    @Test func `is as many milliseconds, over thousands of years and less than one`() throws {
        let first = try #require(WallTime(rfc3339: "0000-01-01T00:00:00Z"))
        let last = try #require(WallTime(rfc3339: "9999-12-31T23:59:59.999Z"))
        let milliseconds = last.millisecondsSince1970 - first.millisecondsSince1970
        #expect(Duration.milliseconds(milliseconds).wholeMilliseconds == milliseconds)
        #expect(Duration.milliseconds(-milliseconds).wholeMilliseconds == -milliseconds)
        #expect(Duration.microseconds(1_999).wholeMilliseconds == 1)
        #expect(Duration.microseconds(-1_999).wholeMilliseconds == -1)
    }
}

@Suite struct `An instant of the boot` {
    /// A damaged file may hold any of these.
    @Test func `is the nearest that there is, where a sum lies beyond all`() {
        let (first, last) = (BootInstant(nanoseconds: .min), BootInstant(nanoseconds: .max))
        let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)
        #expect(BootInstant(nanoseconds: 5).advanced(by: longest) == last)
        #expect(BootInstant(nanoseconds: -5).advanced(by: .zero - longest) == first)
        #expect(last.advanced(by: .seconds(1)) == last)
        #expect(first.duration(to: last) == .nanoseconds(Int64.max))
        #expect(last.duration(to: first) == .nanoseconds(Int64.min))
        #expect(BootInstant(nanoseconds: 3).advanced(by: .nanoseconds(-4)).nanoseconds == -1)
        #expect(Duration.nanoseconds(-1_999).wholeNanoseconds == -1_999)
    }
}
