import GatewayModel
import HostileInput
import Samples
import Testing

@testable import Positioning

@Suite struct `Lines at gpsd's port` {
    private static func at(_ seconds: Double) -> BootInstant { Sample.moment(seconds).boot }

    /// The text of the lines that come of `chunks`, all within one second; or the bound that was broken.
    private static func lines(
        _ chunks: [String], _ reader: inout GPSDLines
    ) -> Result<[String], GPSDLines.Misbehaviour> {
        Result { () throws(GPSDLines.Misbehaviour) in
            var texts: [String] = []
            for chunk in chunks {
                texts += try reader.take(chunk.utf8, at: at(1)).map {
                    String(decoding: $0.bytes, as: UTF8.self)
                }
            }
            return texts
        }
    }

    private static let fix = #"{"class":"TPV","mode":3}"#

    @Test func `are those of the classes that are used, put together from pieces`() {
        var reader = GPSDLines()
        let stream =
            #"{"class":"DEVICES","devices":[{},{}]}"# + "\r\n" + Self.fix + "\r\n\r\n"
            + #"{"class":"PPS","real_sec":1}"# + "\n" + #"{"class":"TPVX"}"# + "\n" + #"{"class":"TOFF"}"#
            + "\n"
        let expected = [Self.fix, #"{"class":"PPS","real_sec":1}"#, #"{"class":"TOFF"}"#]
        #expect(Self.lines([stream], &reader) == .success(expected))
        #expect(Self.lines(stream.map(String.init), &reader) == .success(expected))
    }

    @Test func `are no longer than gpsd's`() {
        var reader = GPSDLines()
        #expect(Self.lines([String(repeating: "x", count: 10_240)], &reader) == .success([]))
        #expect(Self.lines(["x"], &reader) == .failure(.longLine))
    }

    @Test func `are no flood, of bytes or of reports, in one second`() throws {
        var reader = GPSDLines()
        let sky = #"{"class":"SKY","satellites":["# + String(repeating: "1,", count: 4_000) + "1]}\n"
        #expect(Self.lines(Array(repeating: sky, count: 32), &reader) == .success([]))
        #expect(Self.lines([sky], &reader) == .failure(.tooMuch))
        var another = GPSDLines()
        let reports = String(repeating: Self.fix + "\n", count: 100)
        #expect(try another.take(reports.utf8, at: Self.at(1)).count == 100)
        #expect(try another.take(reports.utf8, at: Self.at(2)).count == 100)
        #expect(throws: GPSDLines.Misbehaviour.tooMuch) {
            try another.take((Self.fix + "\n").utf8, at: Self.at(2.9))
        }
    }

    @Test func `may be nonsense at times, not always`() throws {
        var reader = GPSDLines()
        let nonsense = String(repeating: "HTTP/1.1 400\n", count: 19)
        #expect(Self.lines([nonsense, #"{"class":"SKY"}"# + "\n", nonsense], &reader) == .success([]))
        #expect(Self.lines(["\n\r\n", "220 smtp\r\n"], &reader) == .failure(.noReports))
        // One that libgps refuses counts alike.
        var another = GPSDLines()
        for _ in 0..<19 { try another.refused() }
        another.understood()
        for _ in 0..<19 { try another.refused() }
        #expect(throws: GPSDLines.Misbehaviour.noReports) { try another.refused() }
    }

    @Test func `of a peer that broke a bound are asked for again after the longest wait, reports or not`() {
        var state = FeedState()
        state.connected(at: Self.at(0))
        #expect(state.disconnected("gone").wait == FeedState.firstWait)
        #expect(state.misbehaved("a flood").wait == FeedState.longestWait)
        let events = state.misbehaved("another flood").events
        #expect(events == [.unavailable(reason: "another flood")])
    }
}

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
