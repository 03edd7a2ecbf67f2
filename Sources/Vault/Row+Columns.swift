import Foundation
import GRDB
import GatewayModel

// A column as the type it is declared with: nil where there is no such column, or it holds something else, as in a file
// that is damaged or of another version. GRDB's own subscripts trap there, and its generic ones take a third of the
// time in which a backlog is read.
extension Row {
    func number(_ index: Int) -> Int64? {
        guard case .int64(let number)? = storage(index) else { return nil }
        return number
    }

    func int(_ index: Int) -> Int? { number(index).flatMap { Int(exactly: $0) } }

    func flag(_ index: Int) -> Bool? { number(index).map { $0 != 0 } }

    func text(_ index: Int) -> String? {
        guard case .string(let text)? = storage(index) else { return nil }
        return text
    }

    func bytes(_ index: Int) -> [UInt8]? {
        guard case .blob(let data)? = storage(index) else { return nil }
        return data.withUnsafeBytes { [UInt8]($0) }
    }

    func id(_ index: Int) -> MessageID? { bytes(index).flatMap { MessageID(bytes: $0) } }

    private func storage(_ index: Int) -> DatabaseValue.Storage? {
        index < count ? (self[index] as DatabaseValue).storage : nil
    }
}
