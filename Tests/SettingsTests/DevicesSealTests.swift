import Testing

@testable import Settings

@Suite struct `The seal of the devices file` {
    @Test func `shows every cut and every byte that was changed`() {
        let whole = DevicesSeal.seal("[[wearable]]\nid = \"a\"\n\n[[wearable]]\nid = \"b\"\n")
        #expect(DevicesSeal(of: Array(whole.utf8)) == .whole)
        for length in 0..<whole.utf8.count {
            #expect(DevicesSeal(of: Array(whole.utf8.prefix(length))) != .whole)
        }
        for place in 0..<whole.utf8.count {
            var bytes = Array(whole.utf8)
            bytes[place] ^= 1
            #expect(DevicesSeal(of: bytes) != .whole)
        }
        #expect(DevicesSeal.content(of: whole) == "[[wearable]]\nid = \"a\"\n\n[[wearable]]\nid = \"b\"\n")
        #expect(DevicesSeal(of: Array("id = 1\n".utf8)) == .absent)
    }
}
