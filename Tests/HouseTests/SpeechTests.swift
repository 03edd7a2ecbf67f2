import GatewayModel
import Testing

@testable import Audio
@testable import HouseAlarm
@testable import Phrases

@Suite struct `The voice` {
    @Test(arguments: PersonProfile.Language.allCases)
    func `speaks in both languages`(language: PersonProfile.Language) throws {
        let text = Statement.calling(.help, inSeconds: 25).text(.spoken).in(language)
        let sound = try ESpeak(speed: 140).render(Utterance(text: text, language: language))
        #expect(sound.rate == 22_050)
        #expect(sound.duration > .seconds(1) && sound.duration < .seconds(8))
        #expect(sound.peak > 0.99)
        let loud = sound.samples.count { $0.magnitude > 1_000 }
        #expect(loud > sound.samples.count / 10)
    }

    @Test func `speaks the languages differently, and slower where asked`() throws {
        let text = "Help 25"
        let english = try ESpeak(speed: 140).render(Utterance(text: text, language: .english))
        #expect(try ESpeak(speed: 140).render(Utterance(text: text, language: .italian)) != english)
        #expect(
            try ESpeak(speed: 80).render(Utterance(text: text, language: .english)).duration > english.duration)
    }

    @Test func `says what is missing`() throws {
        let failure = #expect(throws: HouseFailure.self) {
            try ESpeak(program: "espeak-of-nobody", speed: 140).render(Utterance(text: "x", language: .english))
        }
        #expect(failure?.description.contains("espeak-of-nobody: No such file") == true)
        let silent = #expect(throws: HouseFailure.self) {
            try ESpeak(program: "true", speed: 140).render(Utterance(text: "x", language: .english))
        }
        #expect(silent?.description.contains("no sound") == true)
        let failing = #expect(throws: HouseFailure.self) {
            try ESpeak(program: "false", speed: 140).render(Utterance(text: "x", language: .english))
        }
        #expect(failing?.description.contains("exit code 1") == true)
    }

    @Test func `gives up a program that hangs or never ends, and leaves none behind`() throws {
        let hanging = #expect(throws: HouseFailure.self) {
            try ChildProcess.run("sleep", ["600"], input: [], bound: 100, patience: .milliseconds(200))
        }
        #expect(hanging?.description.contains("was not done within") == true)
        let endless = #expect(throws: HouseFailure.self) {
            try ChildProcess.run("yes", [], input: [], bound: 100_000, patience: .seconds(30))
        }
        #expect(endless?.description.contains("more than 100000 bytes") == true)
    }

    @Test func `hands the text over unseen by the list of processes`() throws {
        let text = Array("Maria, 152".utf8)
        #expect(try ChildProcess.run("cat", [], input: text, bound: 100, patience: .seconds(30)) == text)
    }
}

@Suite struct `A WAV file` {
    @Test func `is read back, and from a pipe without its sizes`() throws {
        let sound = PCM(samples: [0, 1, -1, .max, .min], rate: 22_050)
        var bytes = WaveFile.bytes(of: sound)
        #expect(WaveFile.read(bytes) == sound)
        bytes.replaceSubrange(40..<44, with: [0, 0xF0, 0xFF, 0x7F])
        #expect(WaveFile.read(bytes) == sound)
        for length in 0..<bytes.count { _ = WaveFile.read(Array(bytes.prefix(length))) }
        for place in 0..<bytes.count {
            var broken = bytes
            broken[place] ^= 0xFF
            _ = WaveFile.read(broken)
        }
    }
}
