import HostileInput
import Testing

@testable import Positioning

/// Inputs of broken or hostile senders: an answer, an error, and never the end of the process.
@Suite(.serialized) struct `Hostile input` {
    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test func `in the times of gpsd ends nothing`() {
        let line =
            #"{"class":"PPS","device":"/dev/pps0","real_sec":1772353800,"real_nsec":0,"clock_sec":1772353800,"#
            + #""clock_nsec":123456,"precision":-20}"#
        Campaign("gpsd-time").run(seeds: Self.bytes([line])) { _ = GPSTimePair(line: $0) }
    }
}
