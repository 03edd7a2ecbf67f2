public import Accounts
import FoundationEssentials
public import SQLDatabase

/// Persons by their fiscal codes, for the transactions of each capability that looks for them.
public enum FiscalCodes {
    /// Linked person with a fiscal code from the house. Of several persons with one code, the first one. Nil for an unknown code.
    public static func person(of lookUp: [UInt8], _ db: Database) throws -> HousePerson? {
        try FactStore.person(of: Data(lookUp), db)
    }
}
