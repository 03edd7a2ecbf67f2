/// A stretch of a race at one checkpoint: its runners, their equipment, and the radio channel.
public struct Scenario: Sendable {
    public var name: String
    public var seed: UInt64 = 1
    public var runners = 400
    /// Runners a second, on average. 1.39 is 5,000 an hour.
    public var rate = 0.5
    /// Number of runners that come together, within `packLength` seconds.
    public var pack = 1
    public var packLength = 10.0
    /// m/s. 2.2 is a slow jog, 5.5 the pace of the winners.
    public var speed: ClosedRange<Double> = 2.2...5.5
    /// Metres from the box to a runner's line, on both sides of the road.
    public var distance: ClosedRange<Double> = 1...5
    /// Milliseconds between two advertisements. Each interval is extended by a random 0 to 10 ms (Core Specification,
    /// Vol 6, Part B, 4.4.2.2.1).
    public var interval = 100.0
    /// dBm at 1 m, and its deviation between tags. (-59 is the usual setting of iBeacons.)
    public var power = (mean: -59.0, deviation: 3.0)
    /// Path loss exponent.
    public var exponent: ClosedRange<Double> = 2.0...2.8
    /// dB by which a body attenuates a tag behind it.
    public var shadow: ClosedRange<Double> = 0...15
    /// Rician factor in dB: ratio of the direct path to all others. 6 in the open, 2 in a crowd.
    public var rician = 5.0
    /// Correlated noise by bodies and things on the way: standard deviation in dB, and correlation length in metres.
    public var clutter = (deviation: 2.0, metres: 2.0)
    /// Share of the time in which the radio receives nothing: changes of the channel, connections, Wi-Fi.
    public var deaf = 0.1
    /// dBm: no weaker signal is received, and half of the signals that are 2 dB stronger.
    public var floor = -94.0
    /// Number of persons with a tag that stand within 15 m of the box all the time.
    public var bystanders = 0
    /// Number of laps, and their length in metres.
    public var laps = 1
    public var lap = 400.0
    /// Width in metres of a road with a second antenna on its other side; nil for one antenna.
    public var road: Double?
    /// Metres behind the line, which is in front of the box: the crowd stands there from the beginning until the gun;
    /// nil for a running start.
    public var crowd: ClosedRange<Double>?
    /// Seconds from the beginning to the gun.
    public static let gun = 300.0

    public init(_ name: String) {
        self.name = name
    }
}

extension Scenario {
    /// The scenarios of the documentation's figures.
    public static let all: [Scenario] = [
        make("a few, open road") { $0.rate = 0.2 },
        make("5,000 an hour") {
            $0.runners = 1_500
            $0.rate = 1.39
        },
        make("pack of 150") {
            $0.runners = 600
            $0.pack = 150
            $0.packLength = 20
            $0.rate = 1
            $0.rician = 2
            $0.clutter = (4, 1.5)
        },
        make("crowd, weak tags") {
            $0.rician = 2
            $0.clutter = (4, 1.5)
            $0.power = (-66, 4)
            $0.exponent = 2.4...3.2
        },
        make("wide road, 8 to 15 m") { $0.distance = 8...15 },
        make("sprint, 6 to 9 m/s") { $0.speed = 6...9 },
        make("walkers") { $0.speed = 1.2...2 },
        make("tags of 300 ms") { $0.interval = 300 },
        make("tags of 1 s") { $0.interval = 1_000 },
        make("deaf half of the time") { $0.deaf = 0.5 },
        make("20 bystanders") { $0.bystanders = 20 },
        make("three laps of 400 m") {
            $0.runners = 150
            $0.laps = 3
        },
        make("road of 8 m, one side") { $0.distance = 0.5...7.5 },
        make("road of 8 m, both sides") {
            $0.distance = 0.5...7.5
            $0.road = 8
        },
        make("start, 5 min in a crowd") {
            $0.runners = 200
            $0.crowd = 1...40
            $0.speed = 1.5...3.5
            $0.rician = 2
            $0.clutter = (4, 1.5)
        },
    ]

    private static func make(_ name: String, _ change: (inout Scenario) -> Void) -> Scenario {
        var scenario = Scenario(name)
        change(&scenario)
        return scenario
    }
}
