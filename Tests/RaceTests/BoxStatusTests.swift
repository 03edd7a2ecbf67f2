import Foundation
import GatewayModel
import Samples
import TestSupport
import Testing

@testable import Hub
@testable import Race

@Suite struct `What a box in a field lives on` {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// As the system's own library counts it, reserved blocks included.
    private func free() throws -> Int {
        let figures = try FileManager.default.attributesOfFileSystem(forPath: scratch.url.path)
        return try #require(figures[.systemFreeSize] as? NSNumber).intValue >> 20
    }

    @Test func `says how many megabytes the disk has`() throws {
        let boxStatus = BoxStatus()
        boxStatus.look(at: nil, scratch.url.path)
        let line = try #require(boxStatus.lines(at: Sample.moment(0).boot).last)
        let shown = try #require(line.wholeMatch(of: /disk: (\d+) MB free/)?.1)
        let megabytes = try #require(Int(shown))
        let free = try free()
        #expect(megabytes > 0 && megabytes <= free + 1_000, "\(line), of \(free)")
    }

    @Test func `knows nothing of a disk that is not there`() {
        let boxStatus = BoxStatus()
        boxStatus.look(at: nil, scratch.url.path + "/nowhere")
        #expect(boxStatus.lines(at: Sample.moment(0).boot).last == "disk: unknown")
    }
}
