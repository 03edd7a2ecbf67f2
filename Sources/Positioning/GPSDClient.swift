import CGPSD
import GatewayModel
import Glibc

/// libgps on one connection at a time. Used on the gpsd thread alone.
///
/// `gps_data_t` is 24 KB of all that receivers may say: allocated once, freed once.
final class GPSDClient {
    private let data: UnsafeMutablePointer<gps_data_t>
    private let line: UnsafeMutableBufferPointer<CChar>
    private var isOpen = false

    /// What one read gave.
    enum Reading {
        case report(GPSReport)
        /// The system's clock at a pulse of the receiver (PPS), or when a message began (TOFF).
        case time(SatelliteTime.Means, GPSTimePair)
        /// Another class of message (SKY, DEVICES, ...), or one that says nothing.
        case other
        /// Nothing whole is there.
        case nothing
        case lost(String)
    }

    init() {
        data = .allocate(capacity: 1)
        // Longer than any line of gpsd (GPS_JSON_RESPONSE_MAX is 10240); libgps cuts what is longer, and
        // only the beginning is looked at.
        line = .allocate(capacity: 16_384)
        // libgps writes to its socket without MSG_NOSIGNAL: a gpsd that has gone must not end us.
        signal(SIGPIPE, SIG_IGN)
    }

    deinit {
        close()
        data.deallocate()
        line.deallocate()
    }

    var descriptor: Int32 { data.pointee.gps_fd }

    /// Connects and asks for reports. Blocks while TCP does; gpsd is meant to be on this machine, where
    /// that is at once.
    /// - Returns: nil, or why not.
    func open(host: String, port: UInt16) -> String? {
        close()
        memset(data, 0, MemoryLayout<gps_data_t>.size)
        guard gps_open(host, String(port), data) == 0 else {
            return "cannot reach gpsd at \(host) port \(port) (\(String(cString: gps_errstr(errno)))); "
                + "check that it runs: systemctl status gpsd"
        }
        isOpen = true
        guard gps_stream(data, UInt32(WATCH_ENABLE | WATCH_JSON | WATCH_PPS), nil) == 0 else {
            close()
            return "gpsd at \(host) port \(port) does not take the request for reports"
        }
        return nil
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        gps_close(data)
    }

    /// Takes one message, if a whole one has come; never blocks (gps_open leaves the socket so).
    func read() -> Reading {
        let count = gps_read(data, line.baseAddress, Int32(line.count))
        if count < 0 {
            // -1 with errno 0 is how libgps tells of an end of file.
            let text = errno == 0 ? "closed by gpsd" : String(cString: strerror(errno))
            return .lost("the connection to gpsd is gone (\(text)); check that it runs: systemctl status gpsd")
        }
        guard count > 0 else { return .nothing }
        // `data` keeps the last of each when another class comes: only a TPV line is a fix.
        if isOf("TPV") { return .report(GPSReport(data.pointee)) }
        if isOf("PPS") { return timePair.map { .time(.pulse, $0) } ?? .other }
        if isOf("TOFF") { return timePair.map { .time(.message, $0) } ?? .other }
        return .other
    }

    /// From the line itself: libgps 3.22 says that it has read a TOFF, and leaves its times at zero.
    private var timePair: GPSTimePair? {
        let length = strnlen(line.baseAddress!, line.count)
        return GPSTimePair(line: line[..<length].map { UInt8(bitPattern: $0) })
    }

    private func isOf(_ name: String) -> Bool {
        let beginning = "{\"class\":\"\(name)\""
        return strncmp(line.baseAddress!, beginning, beginning.utf8.count) == 0
    }
}

extension GPSReport {
    fileprivate init(_ data: borrowing gps_data_t) {
        let fix = data.fix
        let hasPlace = data.set & LATLON_SET != 0
        self.init(
            mode: fix.mode, time: GPSTimePair.nanoseconds(Int64(fix.time.tv_sec), Int64(fix.time.tv_nsec)),
            latitude: hasPlace ? fix.latitude : nil, longitude: hasPlace ? fix.longitude : nil,
            altitude: fix.altMSL, horizontalError: fix.eph)
    }
}
