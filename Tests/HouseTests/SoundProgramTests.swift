import Audio
import ModelSamples
import Testing

@testable import GatewayModel
@testable import HouseAlarm
@testable import SOSLocal

/// Plays a program on a virtual clock: what is begun when.
private struct Stage {
    struct Played: Equatable {
        let piece: SoundPiece
        let begin: Double
        let isWhole: Bool
    }

    var program: SoundProgram
    var now = 1.0
    var played: [Played] = []
    /// How long a text is spoken.
    var speech = 6.0
    var canSpeak = true
    /// Whether a voice has rendered a text by an instant.
    var isRendered: (Utterance, Double) -> Bool = { _, _ in true }

    init(loudness: Loudness = .usual, phrases: HousePhrases = House.phrases()) {
        program = SoundProgram(phrases: phrases, loudness: loudness)
    }

    /// Until then, in steps of 10 ms; `words` come at their time.
    ///
    /// - Parameter line: dies or comes back at an instant.
    mutating func run(
        until end: Double, _ words: [(Double, HouseMessage)] = [],
        line: (House.Line, isDown: Bool, at: Double)? = nil
    ) {
        var words = words.sorted { $0.0 < $1.0 }[...]
        var current: (piece: SoundPiece, begin: Double)?
        while now < end {
            if let line, now >= line.at { line.0.set(isDown: line.isDown) }
            while let next = words.first, next.0 <= now {
                program.hear(next.1, at: House.at(now))
                words = words.dropFirst()
            }
            if let (piece, begin) = current {
                let isOver = now >= begin + length(of: piece)
                let isBroken = !isOver && program.isOutdated(piece, at: House.at(now))
                if isOver || isBroken {
                    program.finished(piece, isWhole: isOver, at: House.at(now))
                    played.append(Played(piece: piece, begin: begin, isWhole: isOver))
                    current = nil
                }
            }
            if current == nil {
                let (canSpeak, isRendered, now) = (canSpeak, isRendered, now)
                let piece = program.next(at: House.at(now), isReady: { canSpeak && isRendered($0, now) })
                if case .rest = piece {
                } else {
                    let isOutdated = program.isOutdated(piece, at: House.at(now))
                    #expect(!isOutdated, "begun to be broken off at once, at \(now) s: \(piece)")
                    program.began(piece, at: House.at(now))
                    current = (piece, now)
                }
            }
            now += 0.01
        }
        if let (piece, begin) = current { played.append(Played(piece: piece, begin: begin, isWhole: false)) }
    }

    private func length(of piece: SoundPiece) -> Double {
        switch piece {
        case .burst(let priority, _, _): Double(AlarmTones.burst(priority).duration.wholeMilliseconds) / 1_000
        case .opening: Double(AlarmTones.opening.duration.wholeMilliseconds) / 1_000
        case .speech, .announcement, .rest: speech
        }
    }

    func bursts(of notice: AlarmNotice) -> [(begin: Double, amplitude: Double, isWhole: Bool)] {
        played.compactMap { played in
            switch played.piece {
            case .burst(_, notice.alarm, let amplitude), .opening(notice.alarm, let amplitude):
                (played.begin, amplitude, played.isWhole)
            default: nil
            }
        }
    }
}

extension SoundPiece {
    fileprivate var kind: String {
        switch self {
        case .burst(_, nil, _): "chime"
        case .burst, .opening: "burst"
        case .speech: "speech"
        case .announcement: "announcement"
        case .rest: "rest"
        }
    }

    fileprivate var text: String? {
        switch self {
        case .speech(let utterance, _, _), .announcement(let utterance, _): utterance.text
        case .burst, .opening, .rest: nil
        }
    }
}

@Suite struct `What is sounded when` {
    private static let maria = House.notice(call: .trying)
    private static let giuseppe = House.notice(House.crossing(150, of: House.giuseppe), call: .trying)
    private static let medium = House.notice(House.crossing(139), priority: .medium, call: .trying)
    private static let over = AlarmEnding.resolved(PersonAct(by: "Luca", means: .console), at: House.at(0))

    @Test func `is tone and words in turn until the alarm has ended`() {
        var stage = Stage()
        stage.run(until: 60, [(1, .alarm(Self.maria)), (40, .ended(Self.maria, Self.over))])
        let kinds = stage.played.map(\.piece.kind)
        #expect(kinds.prefix(6) == ["burst", "speech", "burst", "speech", "burst", "speech"])
        #expect(kinds.last == "announcement")
        #expect(stage.played.last?.piece.text?.contains("is over") == true)
        // After the end nothing but that.
        #expect(stage.played.filter { $0.begin >= 40 }.map(\.piece.kind) == ["announcement"])
    }

    @Test func `says what to do within the shortest usual window, and sounds the whole burst after it`() throws
    {
        var stage = Stage()
        let alarm = House.notice(windowEnd: House.at(3.5), call: .notYet)
        stage.run(until: 20, [(1, .alarm(alarm))])
        let words = try #require(stage.played.first { $0.piece.kind == "speech" })
        // "Press the button now" takes the voice 1.4 s, at its slowest here (see docs/installer/alarms.md).
        #expect(words.begin - 1 < 0.9, "of 2.5 s")
        #expect(words.piece.text?.hasPrefix("Press the button now") == true)
        let tones = stage.played.filter { $0.piece.kind == "burst" }.map(\.piece)
        guard case .opening? = tones.first, case .burst(.high, _, _)? = tones.dropFirst().first else {
            Issue.record("\(tones)")
            return
        }
    }

    @Test func `gets louder each time`() {
        var stage = Stage(loudness: Loudness(start: 0.2, maximum: 0.8))
        stage.run(until: 80, [(1, .alarm(Self.maria))])
        let amplitudes = stage.bursts(of: Self.maria).map(\.amplitude)
        #expect(amplitudes.first == 0.2 && amplitudes.last == 0.8)
        #expect(zip(amplitudes, amplitudes.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(Set(amplitudes).count >= 4)
    }

    @Test(arguments: [0.5, 6, 40])
    func `keeps the tone within the intervals of its priority, however long the words`(speech: Double) {
        for (notice, longest) in [(Self.maria, 15.1), (Self.medium, 30.1)] {
            var stage = Stage()
            stage.speech = speech
            stage.run(until: 120, [(1, .alarm(notice))])
            let bursts = stage.bursts(of: notice)
            let length = Double(AlarmTones.burst(notice.priority).duration.wholeMilliseconds) / 1_000
            let gaps = zip(bursts, bursts.dropFirst()).map { $1.begin - $0.begin - length }
            #expect(gaps.count >= 3)
            #expect(gaps.allSatisfy { (2.5...longest).contains($0) }, "\(gaps)")
        }
    }

    @Test func `does not wait for a voice`() {
        var stage = Stage()
        stage.canSpeak = false
        stage.run(until: 30, [(1, .alarm(Self.maria))])
        #expect(stage.played.first?.begin == 1)
        #expect(stage.played.count >= 4)
        #expect(stage.played.allSatisfy { $0.piece.kind == "burst" })
    }

    @Test func `lets a higher alarm interrupt a lower one at once, tone or words`() throws {
        for instant in [1.5, 5.0] {
            var stage = Stage()
            stage.run(until: 30, [(1, .alarm(Self.medium)), (instant, .alarm(Self.maria))])
            let first = try #require(stage.bursts(of: Self.maria).first)
            #expect(first.begin - instant < 0.03)
            // The lower one is silent from then on.
            #expect(stage.bursts(of: Self.medium).allSatisfy { $0.begin < instant })
        }
    }

    @Test func `comes back to the lower alarm after the higher`() throws {
        var stage = Stage()
        stage.run(
            until: 60,
            [(1, .alarm(Self.medium)), (5, .alarm(Self.maria)), (20, .ended(Self.maria, Self.over))])
        #expect(try #require(stage.bursts(of: Self.medium).last).begin >= 20)
    }

    @Test func `never breaks a high alarm for a lower one`() {
        var stage = Stage()
        stage.run(until: 60, [(1, .alarm(Self.maria)), (4, .alarm(Self.medium))])
        #expect(stage.bursts(of: Self.medium).isEmpty)
        #expect(stage.played.dropLast().allSatisfy { $0.isWhole })
    }

    @Test func `gives two alarms of one priority their turns, a new one at once`() throws {
        var stage = Stage()
        stage.run(until: 60, [(1, .alarm(Self.maria)), (5, .alarm(Self.giuseppe))])
        #expect(try #require(stage.bursts(of: Self.giuseppe).first).begin < 5.03)
        #expect(stage.bursts(of: Self.maria).count >= 3 && stage.bursts(of: Self.giuseppe).count >= 3)
        let texts = stage.played.filter(\.isWhole).compactMap(\.piece.text)
        #expect(texts.contains { $0.contains("Maria") } && texts.contains { $0.contains("Giuseppe") })
    }

    @Test func `says of an end that another alarm of the person goes on, and nothing of it after a new one`() {
        let other = House.notice(House.crossing(160))
        var stage = Stage()
        stage.run(
            until: 60, [(1, .alarm(Self.maria)), (5, .alarm(other)), (20, .ended(Self.maria, Self.over))])
        let said = stage.played.compactMap(\.piece.text)
        #expect(said.contains { $0.contains("One alarm for Maria is over. Another one goes on.") })
        #expect(!said.contains { $0.contains("The alarm for Maria is over") })
        var next = Stage()
        next.run(
            until: 60, [(1, .alarm(Self.maria)), (20, .ended(Self.maria, Self.over)), (20.01, .alarm(other))])
        #expect(!next.played.filter(\.isWhole).compactMap(\.piece.text).contains { $0.contains("is over") })
    }

    @Test func `never says to the end that another alarm goes on where it has ended meanwhile`() {
        let other = House.notice(House.crossing(160))
        var stage = Stage()
        stage.run(
            until: 60,
            [
                (1, .alarm(Self.maria)), (5, .alarm(other)), (20, .ended(Self.maria, Self.over)),
                (20.5, .ended(other, Self.over)),
            ])
        let whole = stage.played.filter(\.isWhole).compactMap(\.piece.text)
        #expect(!whole.contains { $0.contains("Another one goes on") })
        #expect(whole.contains { $0.contains("The alarm for Maria is over.") })
    }

    @Test func `says of an end beside a call that somebody has taken that another alarm goes on`() {
        var stage = Stage()
        stage.run(
            until: 60,
            [(1, .alarm(Self.maria)), (20, .ended(Self.maria, Self.over, isOneOfSeveral: true))])
        let said = stage.played.compactMap(\.piece.text)
        #expect(said.contains { $0.contains("One alarm for Maria is over. Another one goes on.") })
    }

    @Test func `speaks first of the alarm that can still be cancelled`() throws {
        let new = House.notice(House.crossing(160), windowEnd: House.at(25), call: .notYet)
        var stage = Stage()
        stage.run(until: 40, [(1, .alarm(Self.maria)), (8, .alarm(new))])
        let words = stage.played.filter { $0.begin >= 8 && $0.isWhole }.compactMap { played in
            if case .speech(_, let id, _) = played.piece { (id: id, begin: played.begin) } else { nil }
        }
        #expect(try #require(words.first).id == new.alarm)
        #expect(words.contains { $0.id == Self.maria.alarm })
    }

    @Test func `speaks of an alarm that can be cancelled before the news of an older call`() throws {
        for instant in stride(from: 7.5, to: 14, by: 0.5) {
            let new = House.notice(House.crossing(160), windowEnd: House.at(25), call: .notYet)
            var stage = Stage()
            stage.run(
                until: 60,
                [
                    (1, .alarm(Self.maria)), (8, .alarm(new)),
                    (instant, House.progress(Self.maria, .notReached)),
                ])
            let words = try #require(
                stage.played.first { played in
                    if case .speech(_, new.alarm, _) = played.piece { true } else { false }
                })
            #expect(words.begin - 8 < 2 && words.isWhole, "at \(instant)")
            let news = stage.played.filter { $0.piece.text?.contains("cannot reach help yet") == true }
            #expect(news.contains { $0.isWhole }, "at \(instant)")
        }
    }

    @Test(arguments: [false, true])
    func `says at once in the window that the line has died, or is back`(comesBack: Bool) throws {
        let line = House.Line(isDown: comesBack)
        var stage = Stage(phrases: line.phrases)
        let alarm = House.notice(windowEnd: House.at(40), call: .notYet)
        stage.run(
            until: 14, [(1, .alarm(alarm)), (4, .progress(alarm.state))],
            line: (line, isDown: !comesBack, at: 4))
        let said = stage.played.filter { $0.piece.text != nil }
        let (old, new) = (said.filter { $0.begin < 4 }, said.filter { $0.begin >= 4 })
        #expect(old.count == 1 && !old[0].isWhole)
        #expect(old[0].piece.text?.contains(comesBack ? "line is down" : "will be called") == true)
        #expect(try #require(new.first).begin < 6.5)
        #expect(new.allSatisfy { $0.piece.text?.contains("will be called") == comesBack }, "\(new)")
    }

    @Test func `breaks off what can be cancelled at the end of the window, and says that it calls`() throws {
        let alarm = House.notice(windowEnd: House.at(6), call: .notYet)
        var stage = Stage()
        stage.run(until: 16, [(1, .alarm(alarm)), (6, House.progress(alarm, .called))])
        let said = stage.played.filter { $0.piece.kind == "speech" }
        let calling = try #require(said.first { $0.piece.text?.contains("I am calling for help") == true })
        #expect(calling.begin < 8.3)
        #expect(said.first?.isWhole == false)
    }

    @Test func `answers a cancel before the news of an older call`() throws {
        let new = House.notice(House.crossing(160), windowEnd: House.at(40), call: .notYet)
        var stage = Stage()
        stage.run(
            until: 60,
            [
                (1, .alarm(Self.maria)), (8, .alarm(new)), (9, House.progress(Self.maria, .notReached)),
                (15, .ended(new, Self.over)),
            ])
        let said = stage.played.filter { $0.begin >= 15 && $0.isWhole }.compactMap(\.piece.text)
        #expect(said.first?.contains("One alarm for Maria is over") == true, "\(said)")
        #expect(said.contains { $0.contains("cannot reach help yet") })
    }

    @Test(arguments: [4.0, 7, 10, 14], [0.0, 0.5, 2])
    func `begins nothing that it would break off at once`(speech: Double, rendering: Double) {
        let new = House.notice(House.crossing(160), windowEnd: House.at(26), call: .notYet)
        for news in stride(from: 7.0, to: 26, by: 0.83) {
            var stage = Stage()
            stage.speech = speech
            let slow = ["knows already", "has the call", "is over"]
            stage.isRendered = { words, now in
                now >= news + rendering || !slow.contains { words.text.contains($0) }
            }
            stage.run(
                until: 45,
                [
                    (1, .alarm(Self.maria)), (6, .alarm(new)), (news, House.progress(Self.maria, .arrived)),
                    (news + 0.25, House.progress(new, .noticeGiven)), (38, .ended(new, Self.over)),
                ])
            let tones = (stage.bursts(of: Self.maria) + stage.bursts(of: new)).map(\.begin).sorted()
            // A burst of 2.0 s, and 15 s of silence at most behind it.
            #expect(zip(tones, tones.dropFirst()).allSatisfy { $1 - $0 < 17.1 }, "\(tones)")
        }
    }

    @Test func `waits for the rendering of an answer, and says technical news after it`() {
        var stage = Stage()
        stage.isRendered = { utterance, now in !utterance.text.contains("is over") || now >= 22 }
        stage.run(
            until: 60,
            [(1, .alarm(Self.maria)), (5, .devicePaired(House.maria)), (20, .ended(Self.maria, Self.over))])
        #expect(stage.program.announcements.utterances.isEmpty)
        let said = stage.played.filter { $0.piece.kind == "announcement" || $0.piece.kind == "chime" }
        #expect(said.map(\.piece.kind) == ["announcement", "chime", "announcement"])
        #expect(said.first.map { $0.begin >= 22 && $0.piece.text?.contains("is over") == true } == true)
    }

    @Test func `has the answer to an act rendered before what may be wanted later`() {
        var stage = Stage()
        stage.run(until: 10, [(1, .alarm(Self.maria))])
        stage.program.hear(.ended(Self.maria, Self.over), at: House.at(10))
        #expect(stage.program.awaited(at: House.at(10)).contains { $0.text.contains("is over") })
    }

    @Test func `never lets what is technical speak while an alarm is open`() {
        var stage = Stage()
        stage.run(
            until: 60,
            [
                (1, .alarm(Self.maria)), (4, .supervision(House.giuseppe, isPaused: true)),
                (5, .batteryLow(House.maria, percent: 8)), (40, .ended(Self.maria, Self.over)),
            ])
        let announcements = stage.played.filter { $0.piece.kind == "announcement" || $0.piece.kind == "chime" }
        #expect(announcements.allSatisfy { $0.begin >= 40 })
        #expect(announcements.map(\.piece.kind) == ["announcement", "chime", "announcement", "announcement"])
        #expect(announcements.first?.piece.text?.contains("is over") == true)
    }

    @Test func `breaks an announcement off for an alarm and says it again afterwards`() throws {
        var stage = Stage()
        stage.run(
            until: 40,
            [
                (1, .batteryLow(House.maria, percent: 8)), (3, .alarm(Self.maria)),
                (20, .ended(Self.maria, Self.over)),
            ])
        #expect(try #require(stage.bursts(of: Self.maria).first).begin < 3.03)
        let battery = stage.played.filter { $0.piece.text?.contains("battery") == true }
        #expect(battery.map(\.isWhole) == [false, true])
    }

    @Test func `says of a technical condition the newest only`() {
        var stage = Stage()
        stage.run(
            until: 60,
            [
                (1, .alarm(Self.maria)), (4, .supervision(House.maria, isPaused: true)),
                (5, .supervision(House.maria, isPaused: false)), (20, .ended(Self.maria, Self.over)),
            ])
        let said = stage.played.filter { $0.piece.kind != "burst" && $0.begin >= 20 }.compactMap(\.piece.text)
        #expect(said.count == 2 && said.last == "The gateway sees again how Maria is.")
    }

    @Test func `sounds a note once`() {
        let note = House.notice(House.crossing(125), priority: .low, call: .none)
        var stage = Stage()
        stage.run(until: 120, [(1, .alarm(note))])
        #expect(stage.played.map(\.piece.kind) == ["burst", "speech"])
    }

    @Test(arguments: [1, 2])
    func `says how the call goes on in the midst of alarms, and only once`(alarms: Int) {
        var stage = Stage()
        let both: [(Double, HouseMessage)] = [(1, .alarm(Self.maria)), (2, .alarm(Self.giuseppe))]
        stage.run(until: 90, both.prefix(alarms) + [(20, .notRetracted(House.maria))])
        let said = stage.played.filter { $0.piece.kind == "announcement" }
        #expect(said.map(\.isWhole) == [true])
        #expect(said.allSatisfy { $0.begin < 35 })
        #expect(stage.bursts(of: Self.maria).count >= 3)
    }

    @Test(arguments: [
        (House.Call.notReached, "cannot reach help yet"), (.arrived, "has the call"),
    ])
    func `says at once how the call went, and breaks off words that are no longer true`(
        progress: House.Call, words: String
    ) throws {
        for instant in stride(from: 6.0, to: 20, by: 0.5) {
            var stage = Stage()
            let alarm = House.notice(windowEnd: House.at(5), call: .notYet)
            stage.run(
                until: 40,
                [
                    (1, .alarm(alarm)), (5, House.progress(alarm, .called)),
                    (instant, House.progress(alarm, progress)),
                ])
            let said = try #require(stage.played.first { $0.piece.text?.contains(words) == true })
            // No later than a tone that is being sounded.
            #expect(said.begin - instant <= 2.05, "at \(instant)")
            #expect(said.isWhole)
            let untrue = stage.played.filter { $0.piece.text?.contains("I am calling") == true }
            #expect(untrue.allSatisfy { $0.begin + stage.speech <= instant || !$0.isWhole }, "at \(instant)")
        }
    }

    @Test func `says only the newest of how the call went, and nothing of it once the alarm is over`() {
        var stage = Stage()
        stage.run(
            until: 40,
            [
                (1, .alarm(Self.maria)), (1.2, House.progress(Self.maria, .notReached)),
                (1.3, House.progress(Self.maria, .arrived)),
                (20, House.progress(Self.maria, .notReached)), (20, .ended(Self.maria, Self.over)),
            ])
        let said = stage.played.filter { $0.piece.kind == "announcement" }.compactMap(\.piece.text)
        #expect(said.count == 2 && said[0].contains("has the call") && said[1].contains("is over"))
    }

    @Test func `sounds a note again that an alarm broke off`() {
        let note = House.notice(House.crossing(125), priority: .low, call: .none)
        for instant in [1.3, 4.0] {
            var stage = Stage()
            stage.run(
                until: 60,
                [(1, .alarm(note)), (instant, .alarm(Self.maria)), (20, .ended(Self.maria, Self.over))])
            let said = stage.played.filter { $0.isWhole && $0.piece.text?.hasPrefix("A note") == true }
            #expect(said.count == 1 && said.allSatisfy { $0.begin > 20 })
        }
    }

    @Test func `is silent as soon as the alarm is cancelled`() {
        for instant in [1.3, 5.0] {
            var stage = Stage()
            stage.canSpeak = true
            stage.run(
                until: instant + 0.03, [(1, .alarm(Self.maria)), (instant, .ended(Self.maria, Self.over))])
            #expect(stage.played.last?.piece.kind == "announcement")
        }
    }

    @Test func `asks for the words ahead, and those of the next step too`() {
        var program = SoundProgram(phrases: House.phrases(), loudness: .usual)
        program.hear(.alarm(House.notice(windowEnd: House.at(61), call: .notYet)), at: House.at(1))
        let wanted = program.wanted().map(\.text)
        #expect(wanted.contains { $0.contains("will be called in 55 seconds") }, "\(wanted)")
        #expect(wanted.contains { $0.contains("I am calling for help") }, "\(wanted)")
        #expect(program.wanted().isEmpty)
    }

    @Test func `keeps no more to say than anyone listens to`() {
        var program = SoundProgram(phrases: House.phrases(), loudness: .usual)
        program.hear(.supervision(House.maria, isPaused: true), at: House.at(1))
        for number in 0..<1_000 {
            program.hear(.whoseIsMeant([PersonID(sample: "nobody-\(number)"), House.maria]), at: House.at(1))
        }
        #expect(program.wanted().count == Announcements.bound)
    }
}
