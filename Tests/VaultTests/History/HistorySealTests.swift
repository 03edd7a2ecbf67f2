import Ciphers
import Foundation
import GatewayModel
import Testing
import Vault

@Suite struct `The seal of the history` {
    private let day = 86_400.0

    /// Test case 15 of McGrew and Viega, "The Galois/Counter Mode of Operation (GCM)", appendix B; and 16, with
    /// associated data.
    @Test func `is AES-256-GCM as its authors wrote it down`() throws {
        let key = try #require(
            Data(hexadecimal: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308").flatMap {
                AES256Key(Array($0))
            })
        let nonce = Array(try #require(Data(hexadecimal: "cafebabefacedbaddecaf888")))
        let plain = Array(
            try #require(
                Data(
                    hexadecimal: """
                        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
                        1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255
                        """)))
        let sealed = """
            522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
            8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad
            b094dac5d93471bdec1a502270e3cc6c
            """
        let cipher = OpenSSLCipher()
        #expect(
            cipher.seal(plain, key: key, nonce: nonce, associatedData: [])
                == Data(hexadecimal: sealed).map(Array.init))
        let data = Array(try #require(Data(hexadecimal: "feedfacedeadbeeffeedfacedeadbeefabaddad2")))
        let short = try #require(
            cipher.seal(Array(plain.prefix(60)), key: key, nonce: nonce, associatedData: data))
        #expect(Data(short.suffix(16)) == Data(hexadecimal: "76fc6ece0f4e1768cddf8853bb2d551b"))
        #expect(
            cipher.open(short, key: key, nonce: nonce, associatedData: data) == Array(plain.prefix(60)))
        for index in short.indices {
            var forged = short
            forged[index] ^= 1
            #expect(cipher.open(forged, key: key, nonce: nonce, associatedData: data) == nil)
        }
        #expect(cipher.open(short, key: key, nonce: nonce, associatedData: []) == nil)
        #expect(cipher.open([1, 2, 3], key: key, nonce: nonce, associatedData: []) == nil)
    }

    @Test func `hides persons, kinds, devices and values`() throws {
        let rig = try HistoryRig()
        try rig.database.keep([rig.reading(71, at: 1, device: "polar-h10")])
        let bytes = try rig.bytes()
        for word in ["maria", "heart-rate", "polar-h10"] {
            #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word)")
        }
    }

    @Test func `never uses a nonce twice`() throws {
        let rig = try HistoryRig()
        var nonces: Set<String> = []
        for minute in 0..<300 {
            // The same row again and again, and the same content in others.
            try rig.database.keep([rig.reading(71, at: Double(minute % 10) * 60)])
            let seen = try rig.sqlite("SELECT hex(substr(sealed, 1, 12)) FROM raw")
            nonces.formUnion(seen.split(separator: "\n").map(String.init))
            if minute == 0 { #expect(nonces.count == 1) }
        }
        #expect(nonces.count == 300)
    }

    @Test func `rows that changed places do not open, and are told`() throws {
        let rig = try HistoryRig()
        try rig.database.keep([rig.reading(71, at: 1), rig.reading(72, at: 1_000), rig.reading(73, at: 2_000)])
        _ = try rig.sqlite(
            """
            UPDATE raw SET sealed = (SELECT sealed FROM raw ORDER BY place DESC LIMIT 1)
            WHERE place = (SELECT min(place) FROM raw)
            """)
        let page = try rig.page(0, day, .raw)
        #expect(page.points.map(\.mean) == [72, 73] && page.unreadable == 1)
    }

    @Test func `another key opens nothing, says so, and changes nothing`() throws {
        let rig = try HistoryRig()
        try rig.database.keep([rig.reading(71, at: 1)])
        try rig.database.close()
        let before = try rig.sqlite(".dump")
        #expect { try rig.reopen(HistoryRig.keys(2)) } throws: { error in
            if case HistoryFailure.key(let text) = error {
                text.contains("sealed with another key")
            } else {
                false
            }
        }
        #expect(try rig.sqlite(".dump") == before && before.contains("INSERT INTO raw"))
        try rig.reopen()
        #expect(try rig.page(0, day, .raw).points.count == 1)
    }

    @Test func `a change of the key goes on where a kill ended it`() throws {
        let rig = try HistoryRig()
        try rig.database.keep((0..<50).map { rig.reading(71, at: Double($0) * 1_000) })
        try rig.lookAfter(at: 2 * day)
        try rig.reopen(HistoryRig.keys(2, 1))
        #expect(rig.database.isRotating)
        #expect(try rig.database.rotate(limit: 20) == 20)
        // Half of it is done. Neither key alone is enough now, and that is said.
        for keys in [HistoryRig.keys(1), HistoryRig.keys(2)] {
            #expect { try rig.reopen(keys) } throws: { error in
                if case HistoryFailure.key(let text) = error {
                    text.contains("previous_key_file")
                } else {
                    false
                }
            }
        }
        try rig.reopen(HistoryRig.keys(2, 1))
        #expect(try rig.page(0, day, .raw).points.count == 50)
        try rig.database.keep([rig.reading(72, at: 1)])
        while try rig.database.rotate(limit: 20) > 0 {}
        #expect(!rig.database.isRotating)
        try rig.reopen(HistoryRig.keys(2))
        #expect(try rig.page(0, day, .raw).points.count == 51)
        #expect(try rig.page(0, day, .hour).points.map(\.count).reduce(0, +) == 51)
        #expect(throws: HistoryFailure.self) { try rig.reopen(HistoryRig.keys(1)) }
    }
}
