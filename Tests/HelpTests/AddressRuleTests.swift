import Glibc
import HTTPTransfers
import Testing

/// Rules of the addresses to which a stranger's name may lead.
struct AddressRuleTests {
    private func allows(_ text: String, loopback: Bool = false) -> Bool {
        let rule = AddressRule(allowsLoopback: loopback)
        if text.contains(":") {
            var bytes = [UInt8](repeating: 0, count: 16)
            #expect(inet_pton(AF_INET6, text, &bytes) == 1, "\(text)")
            return rule.allows(version6: bytes)
        }
        var bytes = [UInt8](repeating: 0, count: 4)
        #expect(inet_pton(AF_INET, text, &bytes) == 1, "\(text)")
        return rule.allows(version4: bytes)
    }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
        "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1",
        "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1",
        "224.0.0.1",
        "239.1.1.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::2", "::127.0.0.1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1", "fc00::1",
        "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1",
        "4000::1",
    ])
    func `addresses that are not of the public internet are refused`(text: String) {
        #expect(!allows(text))
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "93.184.216.34", "100.63.255.255", "100.128.0.1", "126.0.0.1",
        "172.15.255.255", "172.32.0.1", "192.169.0.1", "223.255.255.255", "2606:4700:4700::1111",
        "2a00:1450:4002::200e", "::ffff:93.184.216.34",
    ])
    func `addresses of the public internet are allowed`(text: String) {
        #expect(allows(text))
    }

    @Test func `a test allows loopback, and nothing else of the inside`() {
        for text in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] { #expect(allows(text, loopback: true)) }
        for text in ["10.0.0.1", "169.254.169.254", "fe80::1", "0.0.0.0", "::"] {
            #expect(!allows(text, loopback: true))
        }
    }

    @Test func `bytes of another length are no address`() {
        let rule = AddressRule(allowsLoopback: true)
        for count in [0, 3, 5, 15, 16, 17] {
            #expect(!rule.allows(version4: [UInt8](repeating: 1, count: count)))
        }
        for count in [0, 4, 15, 17] { #expect(!rule.allows(version6: [UInt8](repeating: 0x20, count: count))) }
    }
}
