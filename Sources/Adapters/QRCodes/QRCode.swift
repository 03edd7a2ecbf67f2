import CQREncode

/// QR code of a short text: a square of dark and light modules.
package struct QRCode: Sendable {
    /// Width in modules, without the quiet zone.
    private let width: Int
    private let dark: [Bool]

    /// Nil for a text of more than 500 bytes, for one with NUL, and without memory.
    package init?(_ text: String) {
        guard text.utf8.count <= 500, !text.utf8.contains(0),
            let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M)
        else { return nil }
        defer { QRcode_free(code) }
        width = Int(code.pointee.width)
        // Bit 0 of each byte is the module; the others are of the encoder.
        dark = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
    }

    /// Whether the module is dark; false outside of the square.
    private func isDark(_ row: Int, _ column: Int) -> Bool {
        guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
        return dark[row * width + column]
    }

    /// The modules row by row, true for a dark one.
    package var rows: [[Bool]] { (0..<width).map { row in (0..<width).map { isDark(row, $0) } } }

    /// Lines for a terminal with light text on dark ground: half blocks, two rows a line, with the quiet zone of two modules.
    package var lines: [String] {
        stride(from: -2, to: width + 2, by: 2).map { row in
            (-2..<width + 2).map { column in
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): " "
                case (true, false): "▄"
                case (false, true): "▀"
                case (false, false): "█"
                }
            }.joined()
        }
    }
}
