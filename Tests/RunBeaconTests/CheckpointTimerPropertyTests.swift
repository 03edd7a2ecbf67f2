import GatewayModel
import RaceSimulation
import RunBeacon
import SeededRandom
import Testing

/// Properties of the timer that hold for any input, from seeds.
@Suite struct `The timer of a checkpoint, whatever comes,` {
    private let track = TimedTrack()

    /// Passages of some runners at any times, mostly in the order of time, some late, weak or doubtful.
    private struct Noise {
        /// Nil if no rule is written.
        let rule: Checkpoint.Rule?
        let distances: [Double]
        let split: Int
        let passages: [(bib: Int, passage: Passage)]

        init(seed: UInt64, _ track: TimedTrack) {
            var random = SeededGenerator(seed: seed)
            let rules: [Checkpoint.Rule?] = [nil, .last, .first, .best]
            rule = rules[Int(seed % 4)]
            distances = (0..<Int.random(in: 1...4, using: &random)).map { Double($0) * 1_000 }
            split = [0, 20, 60].randomElement(using: &random) ?? 0
            var time = -100.0
            passages = (0..<120).map { _ in
                time += Double.random(in: 0...60, using: &random)
                let late =
                    Int.random(in: 0..<10, using: &random) == 0 ? Double.random(in: 0...300, using: &random) : 0
                let flags: Set<Passage.Flag> =
                    Int.random(in: 0..<4, using: &random) == 0
                    ? [Passage.Flag.allCases.randomElement(using: &random) ?? .noPeak] : []
                let passage = track.passage(
                    at: ((time - late) * 1_000).rounded() / 1_000, bound: .random(in: 0...3, using: &random),
                    strongest: .random(in: -95 ... -50, using: &random), flags: flags)
                return (Int.random(in: 10..<14, using: &random), passage)
            }
        }
    }

    private func play(_ noise: Noise, _ timer: inout CheckpointTimer, _ range: Range<Int>? = nil) -> [Passing] {
        (range ?? noise.passages.indices).compactMap { index in
            let (bib, passage) = noise.passages[index]
            return timer.take(
                passage, of: TimedTrack.bib(bib), dating: track.dating(),
                makeID: { _ in track.id(UInt64(index)) })
        }
    }

    /// Returns the passings that count, by runner, in the order of their orders.
    private func counting(_ passings: [Passing], at checkpoint: Checkpoint) -> [[Passing]] {
        Dictionary(grouping: passings.filter { $0.order != nil }, by: \.bib).values.map { own in
            Dictionary(grouping: own) { $0.order ?? 0 }.sorted { $0.key < $1.key }.compactMap { order, same in
                same.dropFirst().reduce(same.first) { best, next in
                    best.map { checkpoint.rule(forOrder: order).prefers(next, to: $0) ? next : $0 }
                }
            }
        }
    }

    @Test(arguments: 1...60)
    func `tells of every passage once, counts upwards in time, and no more often than the course passes`(
        seed: UInt64
    )
        throws
    {
        let noise = Noise(seed: seed, track)
        var timer = try track.timer(noise.rule, distances: noise.distances, split: noise.split)
        let passings = play(noise, &timer)
        #expect(passings.count == noise.passages.count)
        for passing in passings where passing.order == nil {
            let why: Set<Passing.Flag> = [.beforeStart, .afterEnd, .tooSoon, .surplus, .outOfTurn]
            #expect(!passing.flags.isDisjoint(with: why))
        }
        for own in counting(passings, at: timer.checkpoint) {
            #expect(own.compactMap(\.order) == Array(1...own.count))
            #expect(own.count <= noise.distances.count)
            let split: Duration = .seconds(noise.split > 0 ? noise.split : noise.rule == .last ? 300 : 30)
            for (one, next) in zip(own, own.dropFirst()) {
                let gap = next.time.millisecondsSince1970 - one.time.millisecondsSince1970
                #expect(gap >= split.wholeMilliseconds)
            }
        }
    }

    @Test(arguments: 1...30) func `goes on after a restart as if there had been none`(seed: UInt64) throws {
        let noise = Noise(seed: seed, track)
        var whole = try track.timer(noise.rule, distances: noise.distances, split: noise.split)
        var cut = whole
        let told = play(noise, &whole)
        let place = Int(seed) * 3
        for passing in told.prefix(place) { cut.fold(passing) }
        #expect(play(noise, &cut, place..<noise.passages.count) == Array(told.dropFirst(place)))
    }

    /// A runner comes, rests beside the box while it restarts, and goes; then comes round again.
    @Test(arguments: 1...30) func `gives nobody a lap for a rest beside the box through a restart`(
        seed: UInt64
    ) throws {
        let noise = Noise(seed: seed, track)
        let fresh = try track.timer(noise.rule, distances: noise.distances, split: noise.split)
        var whole = fresh
        let place = Int(seed) * 3
        var told = play(noise, &whole, 0..<place)
        var random = SeededGenerator(seed: seed + 100)
        let bib = 10 + Int(seed % 4)
        let came = (told.map { track.seconds(of: $0.time) }.max() ?? 0) + 400
        told += [track.take(&whole, at: came, bib: bib)].compactMap(\.self)
        let anew = came + Double.random(in: 8...20, using: &random)
        let went = came + Double.random(in: 30...80, using: &random)
        // One passing of this boot, and one of an earlier boot.
        for instant in [track.instant(came), nil] {
            var (live, cut) = (whole, fresh)
            for passing in told.dropLast() { cut.fold(passing) }
            if let last = told.last { cut.fold(last, at: instant) }
            cut.listen(from: track.instant(anew))
            _ = track.take(&live, at: went, since: came - 5, bib: bib, flags: [.lingered])
            _ = track.take(&cut, at: went, since: anew + 0.5, bib: bib, flags: [.lingered])
            let before = live.count(of: TimedTrack.bib(bib))
            #expect(cut.count(of: TimedTrack.bib(bib)) == before)
            let next = track.take(&live, at: came + 1_000, bib: bib)
            #expect(track.take(&cut, at: came + 1_000, bib: bib)?.order == next?.order)
            #expect(next?.order == (before < noise.distances.count ? before + 1 : nil))
        }
    }
}
