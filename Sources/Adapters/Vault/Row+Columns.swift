import Foundation
import GRDB
import GatewayModel

// A column as the type it is declared with: nil where there is no such column, or it holds something else, as in a file
// that is damaged or of another version. GRDB's subscripts for a chosen type trap there, and take a third of the time
// in which a backlog is read.
extension Row {
    func number(_ index: Int) -> Int64? { value(index) as? Int64 }
    func int(_ index: Int) -> Int? { number(index).flatMap { Int(exactly: $0) } }
    func flag(_ index: Int) -> Bool? { number(index).map { $0 != 0 } }
    func text(_ index: Int) -> String? { value(index) as? String }
    func bytes(_ index: Int) -> [UInt8]? {
        (value(index) as? Data).map { data in data.withUnsafeBytes { [UInt8]($0) } }
    }
    func id(_ index: Int) -> MessageID? { bytes(index).flatMap { MessageID(bytes: $0) } }

    private func value(_ index: Int) -> (any DatabaseValueConvertible)? { index < count ? self[index] : nil }
}
