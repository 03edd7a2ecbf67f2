import GatewayModel
import SOSLocal

/// What the program makes of what the house is told.
extension SoundProgram {
    mutating func hear(_ word: HouseMessage, at now: BootInstant) {
        switch word {
        case .alarm(let notice): hear(notice, at: now)
        case .progress(let id, let progress):
            guard let index = index(of: id) else { return }
            soundings[index].alarm.hear(progress)
            if soundings[index].speech != nil {
                soundings[index].speech = phrases.speech(of: soundings[index].alarm, at: now)
            }
            expect(soundings[index].alarm, at: now)
            announceProgress(of: soundings[index].alarm, progress, at: now)
        case .ended(let notice, _):
            soundings.removeAll { $0.id == notice.alarm }
            announcements.remove(.progress(notice.alarm))
            announce(word, .alarm, at: now)
        case .nobodyCalled, .notRetracted, .whoseIsMeant: announce(word, .alarm, at: now)
        case .supervision(let person, let isPaused):
            announce(word, .technical(person, .supervision), tone: isPaused ? .low : nil, at: now)
        case .settingsWrong: announce(word, .settings, tone: .low, at: now)
        case .batteryLow(let person, _): announce(word, .technical(person, .battery), at: now)
        }
    }

    private mutating func hear(_ notice: AlarmNotice, at now: BootInstant) {
        if let index = index(of: notice.alarm) {
            soundings[index].alarm.hear(notice)
            soundings[index].bursts = max(soundings[index].bursts, notice.repetition)
            soundings[index].nextBurst = soundings[index].nextBurst ?? now
            expect(soundings[index].alarm, at: now)
        } else {
            let alarm = OpenAlarm(notice)
            soundings.append(Sounding(alarm: alarm, bursts: notice.repetition, nextBurst: now))
            expect(alarm, at: now)
        }
    }

    private mutating func announce(
        _ word: HouseMessage, _ matter: Announcements.Matter, tone: AlarmPriority? = nil, at now: BootInstant
    ) {
        guard let utterance = phrases.announcement(word, at: now) else { return }
        announcements.add(Announcements.Announcement(utterance: utterance, matter: matter, tone: tone))
    }

    /// That the call has arrived, or that nobody is reached, is said at once, and the words before it are cut short:
    /// they are no longer true.
    private mutating func announceProgress(of alarm: OpenAlarm, _ progress: HelpProgress, at now: BootInstant) {
        switch progress {
        case .noticeGiven, .called: return
        case .arrived, .notReached: break
        }
        guard let utterance = phrases.progress(of: alarm, at: now) else { return }
        announcements.add(
            Announcements.Announcement(utterance: utterance, matter: .progress(alarm.notice.alarm)))
    }

    /// The words after the next burst, after the end of the window, and on how the call went.
    private mutating func expect(_ alarm: OpenAlarm, at now: BootInstant) {
        let isOpening = index(of: alarm.notice.alarm).map { soundings[$0].isOpening } ?? false
        let burst = isOpening ? AlarmTones.opening : AlarmTones.burst(alarm.notice.priority)
        let afterBurst = now.advanced(by: burst.duration)
        expected.append(phrases.speech(of: alarm, at: afterBurst))
        guard let end = alarm.notice.windowEnd, end > now else { return }
        expected.append(phrases.speech(of: alarm, at: end))
        for progress in [HelpProgress.notReached, .arrived] {
            var later = alarm
            later.hear(progress)
            expected += [phrases.progress(of: later, at: end)].compactMap(\.self)
        }
    }

    /// What a voice should render, the most urgent first. `expected` is given out once.
    mutating func wanted() -> [Utterance] {
        defer { expected = [] }
        return soundings.sorted { $0.priority > $1.priority }.compactMap(\.speech) + expected
            + announcements.utterances
    }

    /// A voice could not say it: the tone has to do.
    mutating func cannotSay(_ utterance: Utterance) {
        for index in soundings.indices where soundings[index].speech == utterance {
            soundings[index].speech = nil
        }
        announcements.remove(utterance)
    }
}
