import GatewayModel
import RaceSimulation
import RunBeacon

/// A time for each runner, against the truth.
struct Score {
    /// Seconds, all runners that got one.
    private(set) var errors: [Double] = []
    private(set) var missed = 0
    /// Told of nobody who passed then: a second time for a runner, or a bystander's.
    private(set) var surplus = 0
    /// Shares: errors within the stated bound.
    private(set) var covered = 0
    private(set) var bounds: [Double] = []

    struct Answer {
        let tag: TagNumber
        let nearest: BootInstant
        var bound: Duration?
    }

    init(_ answers: [Answer], _ truths: [Race.Truth]) {
        var own = Dictionary(grouping: answers, by: \.tag)
        for truth in truths {
            let best = (own[truth.tag] ?? []).indices.min {
                distance(own[truth.tag]?[$0], truth) < distance(own[truth.tag]?[$1], truth)
            }
            guard let best, distance(own[truth.tag]?[best], truth) < 15,
                let answer = own[truth.tag]?.remove(at: best)
            else {
                missed += 1
                continue
            }
            errors.append(seconds(truth.nearest.duration(to: answer.nearest)))
            guard let bound = answer.bound else { continue }
            bounds.append(seconds(bound))
            if abs(errors[errors.count - 1]) <= seconds(bound) { covered += 1 }
        }
        surplus = own.values.reduce(0) { $0 + $1.count }
    }

    private func distance(_ answer: Answer?, _ truth: Race.Truth) -> Double {
        answer.map { abs(seconds(truth.nearest.duration(to: $0.nearest))) } ?? .infinity
    }

    /// Of the sizes of the errors, in milliseconds.
    func quantile(_ share: Double) -> Double {
        let sizes = errors.map(abs).sorted()
        guard !sizes.isEmpty else { return .nan }
        return sizes[min(sizes.count - 1, Int(share * Double(sizes.count)))] * 1_000
    }

    var medianBound: Double {
        let sorted = bounds.sorted()
        return sorted.isEmpty ? .nan : sorted[sorted.count / 2] * 1_000
    }

    var coverage: Double { bounds.isEmpty ? .nan : 100 * Double(covered) / Double(bounds.count) }
}

func seconds(_ duration: Duration) -> Double { Double(duration.wholeNanoseconds) / 1e9 }
