import SeededRandom
import Testing

@testable import Backup

@Suite struct `The words of a backup` {
    @Test func `come out of 1,296 different words, which give 72 bits for seven`() {
        #expect(WordList.words.count == 1_296 && Set(WordList.words).count == 1_296)
        #expect(WordList.words.allSatisfy { (3...5).contains($0.utf8.count) })
        // 6^4 words each: 7 · 4 · log2(6) = 72.4.
        #expect(BackupWords.count == 7 && BackupWords.bits == 72)
        #expect(BackupWords().words.count == 7)
    }

    @Test func `are different each time`() {
        #expect(Set((0..<100).map { _ in BackupWords().text }).count == 100)
    }

    @Test func `are read in any case, with blanks or commas between`() throws {
        let words = BackupWords().words
        for text in [
            words.joined(separator: " "), "  " + words.joined(separator: ",  ") + "\n",
            words.joined(separator: "\t").uppercased(),
        ] {
            #expect(try BackupWords(parsing: text).words == words)
        }
        #expect(WordList.words.contains("yo-yo"), "a hyphen does not part two words")
    }

    @Test func `are refused without the file, where one is missing or not in the list`() {
        let six = #expect(throws: BackupFault.self) {
            try BackupWords(parsing: "acid acid acid acid acid acid")
        }
        #expect(six?.description.contains("saw 6 words, expected 7") == true)
        let wrong = #expect(throws: BackupFault.self) {
            try BackupWords(parsing: "acid acid acit acid acid acid acid")
        }
        #expect(wrong?.description.contains("word 3 is not in the list") == true)
        // The typed word may be a part of the secret.
        #expect(wrong?.description.contains("acit") == false)
    }
}
