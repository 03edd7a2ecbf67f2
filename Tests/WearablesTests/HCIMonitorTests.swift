import Glibc
import RealTime
import Testing
import WireSamples

@testable import Wearables

@Suite struct `A monitor packet` {
    private static func read(_ bytes: [UInt8]) -> MonitorPacket { MonitorPacket(bytes.span) }

    @Test func `shows reports, commands, answers and changes of adapters`() {
        #expect(Self.read(HCIMonitor.advert(1, adapter: 2)) == .leMeta(adapter: 2, 8..<23))
        #expect(Self.read(HCIMonitor.adapterChanged) == .adaptersChanged)
        #expect(
            Self.read(HCIMonitor.complete(0x200C, status: 0x0C))
                == .completed(adapter: 0, opcode: 0x200C, status: 0x0C, hasExtendedScan: nil))
        // Command status: status, packets, opcode.
        #expect(
            Self.read(HCIMonitor.event(0x0F, [0x01, 1, 0x42, 0x20]))
                == .completed(adapter: 0, opcode: 0x2042, status: 0x01, hasExtendedScan: nil))
        #expect(Self.read(HCIMonitor.event(0x0F, [0x00, 1, 0x42, 0x20])) == .other)
        #expect(Self.read(HCIMonitor.event(0x05, [0, 0, 0, 0])) == .other)
        #expect(Self.read(HCIMonitor.command(0x2019, [1, 2, 3])) == .other)
    }

    @Test func `shows what scan somebody asked for`() {
        #expect(
            Self.read(HCIMonitor.command(0x200B, [1, 0x12, 0, 0x12, 0, 1, 0]))
                == .command(
                    adapter: 0,
                    .parameters(
                        .legacy, isActive: true, interval: .microseconds(11_250), window: .microseconds(11_250),
                        listedOnly: false)))
        // On two PHYs, passive on the first, listed devices only.
        #expect(
            Self.read(HCIMonitor.command(0x2041, [1, 1, 5, 0, 0x60, 0, 0x30, 0, 1, 0, 0, 0, 0]))
                == .command(
                    adapter: 0,
                    .parameters(
                        .extended, isActive: false, interval: .milliseconds(60), window: .milliseconds(30),
                        listedOnly: true)))
        #expect(
            Self.read(HCIMonitor.command(0x200C, [1, 1]))
                == .command(adapter: 0, .enable(.legacy, isOn: true, filtersDuplicates: true)))
        #expect(
            Self.read(HCIMonitor.command(0x2042, [0, 0, 0, 0, 0, 0]))
                == .command(adapter: 0, .enable(.extended, isOn: false, filtersDuplicates: false)))
        #expect(Self.read(HCIMonitor.command(0x200B, [1, 0x12])) == .other)
    }

    @Test(arguments: [false, true]) func `tells which commands the controller has`(_ hasExtendedScan: Bool) {
        let answer = HCIMonitor.obeyed(.readSupportedCommands, hasExtendedScan: hasExtendedScan)[1]
        #expect(
            Self.read(answer)
                == .completed(adapter: 0, opcode: 0x1002, status: 0, hasExtendedScan: hasExtendedScan))
    }

    @Test func `cut anywhere is malformed`() {
        let packets = [
            HCIMonitor.advert(1), HCIMonitor.complete(0x200C, status: 0), HCIMonitor.command(0x200C, [1, 1]),
        ]
        for packet in packets {
            for length in 0..<packet.count { #expect(Self.read(Array(packet.prefix(length))) == .malformed) }
        }
    }

    @Test func `of any bytes does not trap`() {
        var random = SeededBytes()
        for _ in 0..<20_000 {
            let payload = random.bytes(upTo: 40)
            _ = Self.read(payload)
            _ = Self.read(HCIMonitor.packet(UInt16(random.byte() % 12), payload))
        }
    }
}

/// The filter in the kernel that runs this test, on a socket that carries the monitor's packets.
@Suite struct `The monitor's filter` {
    private static func passed(_ adapter: UInt16?, _ packets: [[UInt8]]) throws -> [[UInt8]] {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        try MonitorFilter.program(adapter: adapter).attach(to: ends[0])
        for packet in packets { #expect(write(ends[1], packet, packet.count) == packet.count) }
        var batch = PacketBatch(packets: 64, size: MonitorPacket.longest)
        #expect(try batch.receive(from: ends[0]) <= packets.count)
        var passed: [[UInt8]] = []
        batch.visit { packet in
            var bytes: [UInt8] = []
            for index in packet.indices { bytes.append(packet[index]) }
            passed.append(bytes)
        }
        return passed
    }

    private static let wanted = [
        HCIMonitor.advert(1, adapter: 3), HCIMonitor.event(adapter: 3, 0x3E, [0x0D, 0]),
        HCIMonitor.event(adapter: 3, 0x0E, [1, 0x0C, 0x20, 0]),
        HCIMonitor.event(adapter: 3, 0x0F, [1, 1, 0x41, 0x20]),
        HCIMonitor.event(adapter: 3, 0x0E, [1, 0x02, 0x10, 0]),
        HCIMonitor.packet(2, adapter: 3, [0x0B, 0x20, 0]), HCIMonitor.packet(2, adapter: 3, [0x42, 0x20, 0]),
    ]
    private static let adapters = [0, 1, 8, 9, 10].map { HCIMonitor.packet($0, adapter: 7, []) }
    private static let others = [
        // Data of a connection, both ways; a link key on its way to the controller; a connection made.
        HCIMonitor.packet(4, adapter: 3, [1, 2, 3]), HCIMonitor.packet(5, adapter: 3, [1, 2, 3]),
        HCIMonitor.packet(2, adapter: 3, [0x19, 0x20, 28]), HCIMonitor.event(adapter: 3, 0x3E, [0x01, 0]),
        HCIMonitor.event(adapter: 3, 0x0E, [1, 0x19, 0x20, 0]), HCIMonitor.event(adapter: 3, 0x05, [0, 0]),
    ]

    @Test func `lets through reports, scan commands and their answers, and what adapters do`() throws {
        let packets = Self.wanted + Self.adapters
        #expect(try Self.passed(3, packets) == packets)
    }

    @Test func `lets through nothing of connections, keys, or other adapters`() throws {
        #expect(try Self.passed(3, Self.others) == [])
        #expect(try Self.passed(4, Self.wanted) == [])
        #expect(try Self.passed(3, [[], [3], [3, 0, 3, 0, 0, 0]].filter { !$0.isEmpty }) == [])
    }

    @Test func `lets through only what adapters do where none is watched`() throws {
        #expect(try Self.passed(nil, Self.wanted + Self.adapters) == Self.adapters)
    }
}
