import GatewayModel
import RunBeacon
import Testing

@Suite struct `The watch over tags` {
    private func hit(_ tag: UInt32, at seconds: Double, rssi: Int8 = -60, antenna: UInt8 = 0) -> TagHit {
        TagHit(tag: TagNumber(tag), antenna: antenna, rssi: rssi, arrival: instant(seconds))
    }

    private func instant(_ seconds: Double) -> BootInstant { BootInstant(nanoseconds: Int64(seconds * 1e9)) }

    @Test func `counts the reads of the last minute`() {
        var watch = TagWatch()
        for second in 0..<120 { watch.hear(hit(1, at: Double(second) + 0.5)) }
        #expect(watch.readsPerMinute(at: instant(119.9)) == 60)
        #expect(watch.readsPerMinute(at: instant(149)) == 30)
        #expect(watch.readsPerMinute(at: instant(300)) == 0)
        // One that comes late is still counted in its second, and takes nothing from others.
        watch.hear(hit(1, at: 118))
        #expect(watch.readsPerMinute(at: instant(119.9)) == 61)
        watch.hear(hit(1, at: 2))
        #expect(watch.readsPerMinute(at: instant(119.9)) == 61)
    }

    @Test func `tells the last tag and when`() {
        var watch = TagWatch()
        for hit in [hit(1, at: 5), hit(2, at: 7), hit(1, at: 6)] { watch.hear(hit) }
        #expect(watch.latest?.tag == TagNumber(2))
        #expect(watch.lastHeard(TagNumber(1)) == instant(6))
    }

    @Test func `tells what each radio hears`() {
        var watch = TagWatch()
        for second in 0..<30 { watch.hear(hit(1, at: Double(second), antenna: second < 10 ? 1 : 0)) }
        #expect(watch.readsPerMinute(at: instant(30)) == 30)
        #expect(watch.reads(of: 0).perMinute(at: instant(30)) == 20)
        #expect(watch.reads(of: 1).perMinute(at: instant(30)) == 10)
        #expect(watch.reads(of: 1).latest?.arrival == instant(9))
        #expect(watch.reads(of: 2).latest == nil)
    }

    @Test func `finds a radio quiet that hears nothing of what others hear, until it hears again`() {
        var (watch, antennas) = (TagWatch(), QuietAntennas(count: 2))
        for tenth in 0..<99 { watch.hear(hit(1, at: Double(tenth) / 10)) }
        antennas.look(at: watch, now: instant(10))
        #expect(antennas.quiet.isEmpty, "too little to tell")
        watch.hear(hit(1, at: 10))
        antennas.look(at: watch, now: instant(11))
        #expect(antennas.quiet == [1])
        antennas.look(at: watch, now: instant(500))
        #expect(antennas.quiet == [1], "nobody passes, and nobody has mended it")
        watch.hear(hit(2, at: 501, antenna: 1))
        antennas.look(at: watch, now: instant(502))
        #expect(antennas.quiet.isEmpty)
    }

    @Test func `keeps nothing of tags that have left`() {
        var watch = TagWatch()
        for hit in [hit(1, at: 5), hit(2, at: 7)] { watch.hear(hit) }
        watch.forget([TagNumber(1)])
        #expect(watch.lastHeard(TagNumber(1)) == nil)
        #expect(watch.lastHeard(TagNumber(2)) == instant(7))
    }
}

@Suite struct `The self-test` {
    private let tag = TagNumber(4)

    private func instant(_ seconds: Double) -> BootInstant { BootInstant(nanoseconds: Int64(seconds * 1e9)) }

    private func verdict(_ hits: [(Double, Int8)], at seconds: Double, of tag: TagNumber? = nil)
        -> SelfTest.Verdict
    {
        var test = SelfTest(tag: self.tag, from: instant(100))
        for (time, rssi) in hits {
            test.hear(TagHit(tag: tag ?? self.tag, rssi: rssi, arrival: instant(time)))
        }
        return test.verdict(at: instant(seconds))
    }

    private func hits(_ count: Int, from start: Double = 100, rssi: Int8 = -60) -> [(Double, Int8)] {
        (0..<count).map { (start + Double($0) / 10, rssi) }
    }

    @Test func `passes a tag that is heard often and strongly`() {
        guard case .passed(let measure) = verdict(hits(12), at: 102) else {
            Issue.record("not passed")
            return
        }
        #expect(measure.hits == 10 && measure.strength == -60 && measure.took == .milliseconds(900))
        #expect(verdict(hits(4), at: 102) == .listening(hits: 4))
    }

    @Test func `says why not`() {
        let within = SelfTest.Rules().within
        #expect(verdict([], at: 116) == .failed(.notHeard(within: within)))
        #expect(verdict(hits(30), at: 116, of: TagNumber(5)) == .failed(.notHeard(within: within)))
        #expect(verdict(hits(4), at: 116) == .failed(.tooFew(4, of: 10, within: within)))
        #expect(verdict(hits(20, rssi: -80), at: 116) == .failed(.tooWeak(-80, wanted: -75)))
        // Heard before and after its time it is not heard in it.
        #expect(
            verdict(hits(9, from: 99.05) + hits(9, from: 115.1), at: 116) == .failed(.notHeard(within: within)))
    }

    @Test func `is of the radio beside which the tag is held`() {
        var test = SelfTest(tag: tag, from: instant(100))
        // Across the road it is heard a little more often, and too weakly.
        for (time, rssi) in hits(10, from: 100, rssi: -80) {
            test.hear(TagHit(tag: tag, antenna: 0, rssi: rssi, arrival: instant(time)))
        }
        for (time, rssi) in hits(9, from: 100.05, rssi: -55) {
            test.hear(TagHit(tag: tag, antenna: 1, rssi: rssi, arrival: instant(time)))
        }
        #expect(test.verdict(at: instant(101)) == .listening(hits: 10))
        test.hear(TagHit(tag: tag, antenna: 1, rssi: -55, arrival: instant(101)))
        guard case .passed(let measure) = test.verdict(at: instant(101)) else {
            Issue.record("not passed")
            return
        }
        #expect(measure.antenna == 1 && measure.strength == -55 && measure.hits == 10)
    }

    @Test func `is moved by no single hit that fades`() {
        #expect(verdict(hits(9) + [(101, -99)], at: 102) != .failed(.tooWeak(-99, wanted: -75)))
    }
}
